/**
 * What queries cost that an application would not ask of a mere store of documents: joins, windows, search for words and by
 * distance, top results, counts and distinct values. Start with {@link dev.semel.bench.query.QueryLoad}.
 */
@NullMarked
package dev.semel.bench.query;

import org.jspecify.annotations.NullMarked;
