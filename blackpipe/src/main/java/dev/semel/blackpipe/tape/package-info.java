/**
 * Traffic in a file, and its replay without the server: {@link dev.semel.blackpipe.tape.TapeWriter} observes a proxy,
 * {@link dev.semel.blackpipe.tape.TapePlayer} is a scripted server that sends the recorded replies. A tape is text, one
 * JSON document per line: {@code connection}, {@code application}, {@code request}, {@code reply} (absent if none
 * came), {@code fault} (absent if none) and {@code ms}.
 */
@NullMarked
package dev.semel.blackpipe.tape;

import org.jspecify.annotations.NullMarked;
