/**
 * Aggregation pipelines: {@link dev.semel.query.pipeline.Pipelines} reads them, a
 * {@link dev.semel.query.pipeline.Pipeline} is a list of {@link dev.semel.query.pipeline.Stage}s that a planner can look
 * at, and opening it on a {@link dev.semel.query.pipeline.Source} of documents gives a source of results. Stages pull one
 * document at a time. Those that need more of them at once ask their {@link dev.semel.query.pipeline.Execution} for a
 * {@link dev.semel.query.pipeline.MemoryBudget} and use one of these, which write to disk what there is no room for:
 *
 * <ul>
 *   <li>{@link dev.semel.query.pipeline.Sorter}: items in an order;
 *   <li>{@link dev.semel.query.pipeline.DocumentBuffer}: documents in the order in which they came, to be read several times and at
 *       several places at once, as by {@code $facet}, and emptied for the next ones. Its readers cost
 *       {@link dev.semel.wire.spill.SpillSpace#BUFFER_BYTES} each once it has spilled;
 *   <li>{@link dev.semel.query.pipeline.SpilledRuns}: what a stage has put in order itself, as {@code $group} does with its states.
 * </ul>
 *
 * <p>Uses the other packages of {@code query} and {@code wire}.
 */
@NullMarked
package dev.semel.query.pipeline;

import org.jspecify.annotations.NullMarked;
