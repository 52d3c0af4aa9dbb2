/**
 * A test that acts as the server: {@link dev.semel.blackpipe.script.ScriptedServer} passes it each request as an {@link
 * dev.semel.blackpipe.script.Exchange}, which replies, closes the connection or sends nothing. Uses {@code message};
 * start reading with {@code ScriptedServer}.
 *
 * <p>The idea, testing a client from both of its ends at once, is A. Jesse Jiryu Davis's, who calls it black pipe testing.
 */
@NullMarked
package dev.semel.blackpipe.script;

import org.jspecify.annotations.NullMarked;
