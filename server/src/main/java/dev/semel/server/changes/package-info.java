/**
 * Change streams: the operation log as events for applications. A stream keeps a position in the log and nothing else, so
 * it can go on at any other time on any connection from the token that every event carries. Uses cursors, the catalog
 * (to look documents up) and the log; of commands it uses only the call.
 *
 * <p>Start at {@link dev.semel.server.changes.ChangeStreams}, then {@link dev.semel.server.changes.ChangeStream}.
 */
@NullMarked
package dev.semel.server.changes;

import org.jspecify.annotations.NullMarked;
