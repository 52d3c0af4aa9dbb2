/**
 * Monitoring of the server: counters, the log. Independent of commands. Start at
 * {@link dev.semel.server.status.Counters}.
 */
@NullMarked
package dev.semel.server.status;

import org.jspecify.annotations.NullMarked;
