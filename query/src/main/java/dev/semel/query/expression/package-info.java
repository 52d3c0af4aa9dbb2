/**
 * Aggregation expressions: what {@code $project}, {@code $group}, {@code $expr} and pipeline updates compute from a
 * document. {@link dev.semel.query.expression.Expressions} parses and evaluates; {@code Functions} is the table of
 * contents, and each family of functions has its own file. A missing value is Java's null throughout. Uses
 * {@code query.value} and {@code wire.bson} only; start reading at {@link dev.semel.query.expression.Expression}.
 */
@NullMarked
package dev.semel.query.expression;

import org.jspecify.annotations.NullMarked;
