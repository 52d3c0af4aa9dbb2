/**
 * Connections: accept, read, dispatch, write, in plain sequence. One virtual thread for each over a blocking socket, unless it sends
 * short commands only: then a loop serves it together with others. Start at {@link dev.semel.server.net.Connection}.
 */
@NullMarked
package dev.semel.server.net;

import org.jspecify.annotations.NullMarked;
