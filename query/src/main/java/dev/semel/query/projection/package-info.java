/**
 * Projections: which fields of a document {@code find} and {@code findAndModify} show, which part of an array, and what
 * is computed beside them. The {@code $project} of a pipeline has no array operators and belongs to the pipeline.
 *
 * <p>Start with {@link dev.semel.query.projection.Projection}.
 */
@NullMarked
package dev.semel.query.projection;

import org.jspecify.annotations.NullMarked;
