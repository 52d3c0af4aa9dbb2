/**
 * Connections: accept, read, dispatch, write. One virtual thread for each, in plain sequence over a blocking socket.
 * Start at {@link dev.semel.server.net.Connection}.
 */
@NullMarked
package dev.semel.server.net;

import org.jspecify.annotations.NullMarked;
