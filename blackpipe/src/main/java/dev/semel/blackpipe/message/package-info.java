/**
 * The messages between client and server, for faults and scripts: {@link dev.semel.blackpipe.message.RawFrame} is a
 * frame as its bytes, {@link dev.semel.blackpipe.message.Request} a command with its connection,
 * {@link dev.semel.blackpipe.message.Match} a selection of requests. Uses only {@code wire}.
 */
@NullMarked
package dev.semel.blackpipe.message;

import org.jspecify.annotations.NullMarked;
