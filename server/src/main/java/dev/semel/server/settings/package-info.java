/**
 * What can be set while the server runs: {@code getParameter} and {@code setParameter} show one table. Independent of
 * commands. Start at {@link dev.semel.server.settings.Settings}.
 */
@NullMarked
package dev.semel.server.settings;

import org.jspecify.annotations.NullMarked;
