/**
 * Faults on demand, for tests: what {@code configureFailPoint} sets, and the checks whether it is set. Independent of
 * commands; code that can fail asks {@link dev.semel.server.failpoint.FailPoints}. Start there.
 */
@NullMarked
package dev.semel.server.failpoint;

import org.jspecify.annotations.NullMarked;
