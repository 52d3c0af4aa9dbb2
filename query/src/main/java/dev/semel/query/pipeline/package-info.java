/**
 * Aggregation pipelines: {@link dev.semel.query.pipeline.Pipelines} reads them, a
 * {@link dev.semel.query.pipeline.Pipeline} is a list of {@link dev.semel.query.pipeline.Stage}s that a planner can look
 * at, and opening it on a {@link dev.semel.query.pipeline.Source} of documents gives a source of results. Stages pull one
 * document at a time; only {@code $sort} and {@code $group} hold more, within a memory limit. Uses the other packages of
 * {@code query} and {@code wire}.
 */
@NullMarked
package dev.semel.query.pipeline;

import org.jspecify.annotations.NullMarked;
