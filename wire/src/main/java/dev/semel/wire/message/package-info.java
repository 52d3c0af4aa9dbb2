/**
 * Messages of the wire protocol, for servers and clients alike: {@link dev.semel.wire.message.MessageReader} takes frames
 * off a stream, {@link dev.semel.wire.message.MessageWriter} puts them on one. Documents inside a message are views into
 * its frame.
 *
 * <p>Two things can be wrong with what arrives. When the stream itself can no longer be trusted, a
 * {@link dev.semel.wire.message.MalformedMessage} ends the connection. When one frame is bad but its end is known, a
 * {@link dev.semel.wire.message.RefusedMessage} says what to answer.
 */
@NullMarked
package dev.semel.wire.message;

import org.jspecify.annotations.NullMarked;
