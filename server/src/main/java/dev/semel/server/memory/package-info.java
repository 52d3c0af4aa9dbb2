/**
 * The server's account of memory: which parts it has, and what bounds them. Everything that a client can make grow draws
 * from one of them; {@code docs/limits.md} is the page for users. Uses the settings.
 */
@NullMarked
package dev.semel.server.memory;

import org.jspecify.annotations.NullMarked;
