/**
 * Statements that write: what one is, how it runs so that it is atomic and isolated, and how the statements of a command
 * become one outcome. The commands parse into {@link dev.semel.server.statement.Write} and answer from
 * {@link dev.semel.server.statement.Results}; {@link dev.semel.server.statement.Writes} is what happens between.
 */
@NullMarked
package dev.semel.server.statement;

import org.jspecify.annotations.NullMarked;
