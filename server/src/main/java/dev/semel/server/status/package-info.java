/**
 * What the server tells of itself: counters, the log. Knows nothing of commands. Start at
 * {@link dev.semel.server.status.Counters}.
 */
@NullMarked
package dev.semel.server.status;

import org.jspecify.annotations.NullMarked;
