/**
 * Is it isolated? {@link dev.semel.golden.history.Workload} lets many clients run transactions against a database and notes
 * what each has seen; {@link dev.semel.golden.history.HistoryCheck} looks for dependencies that go round in circles.
 */
@NullMarked
package dev.semel.golden.history;

import org.jspecify.annotations.NullMarked;
