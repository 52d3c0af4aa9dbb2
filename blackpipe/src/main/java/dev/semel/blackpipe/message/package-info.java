/**
 * What passes between client and server, as faults and scripts see it: {@link dev.semel.blackpipe.message.RawFrame} is a
 * frame as its bytes, {@link dev.semel.blackpipe.message.Request} a command with where it came from,
 * {@link dev.semel.blackpipe.message.Match} a choice among requests. Uses only {@code wire}.
 */
@NullMarked
package dev.semel.blackpipe.message;

import org.jspecify.annotations.NullMarked;
