/**
 * The commands, one file each, and {@link dev.semel.server.commands.Commands}, their table of contents. A command knows
 * its collaborators and no other command.
 */
@NullMarked
package dev.semel.server.commands;

import org.jspecify.annotations.NullMarked;
