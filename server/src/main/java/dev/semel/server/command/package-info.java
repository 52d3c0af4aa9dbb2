/**
 * What every command has in common: how it is named and parsed, what it may know of its caller, how it answers. A
 * command is one file in {@code dev.semel.server.commands} and one line in its list; nothing here knows any of them.
 */
@NullMarked
package dev.semel.server.command;

import org.jspecify.annotations.NullMarked;
