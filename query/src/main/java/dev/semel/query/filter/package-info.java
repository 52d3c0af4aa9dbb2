/**
 * Filters: what {@code find}, {@code update}, {@code delete} and {@code $match} ask of a document. A filter is parsed once
 * into a tree that the planner reads for index bounds, and matches on the bytes of a document.
 *
 * <p>Start with {@link dev.semel.query.filter.Filter}; {@link dev.semel.query.filter.Filters} reads the language.
 */
@NullMarked
package dev.semel.query.filter;

import org.jspecify.annotations.NullMarked;
