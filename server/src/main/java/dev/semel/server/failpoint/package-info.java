/**
 * Faults on demand, for tests: what {@code configureFailPoint} sets and who asks whether it is set. Knows nothing of
 * commands; code that can fail asks {@link dev.semel.server.failpoint.FailPoints}. Start there.
 */
@NullMarked
package dev.semel.server.failpoint;

import org.jspecify.annotations.NullMarked;
