/**
 * Projections: which fields of a document are shown, and what is computed beside them. {@code find} and
 * {@code findAndModify} use them with array operators, pipelines without.
 *
 * <p>Start with {@link dev.semel.query.projection.Projection}.
 */
@NullMarked
package dev.semel.query.projection;

import org.jspecify.annotations.NullMarked;
