/**
 * Checks isolation: {@link dev.semel.golden.history.Workload} lets many clients run transactions against a database and
 * records what each has seen; {@link dev.semel.golden.history.HistoryCheck} looks for cycles of dependencies.
 */
@NullMarked
package dev.semel.golden.history;

import org.jspecify.annotations.NullMarked;
