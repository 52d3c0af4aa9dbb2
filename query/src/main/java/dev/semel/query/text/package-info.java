/**
 * Search for words: how texts become terms, which scores the terms of a document have in a text index, and what {@code $text}
 * asks for. Stemmers and stop words are Lucene's; the rest follows MongoDB's documentation, so that scores are the same. Pure.
 *
 * <p>Start with {@link dev.semel.query.text.TextSpec}, the options of an index, and {@link
 * dev.semel.query.text.TextQuery}, what is asked of one. {@link dev.semel.query.text.TermScores} makes the keys of a
 * document; {@link dev.semel.query.text.TextMatcher} asks of a document what its keys cannot tell.
 */
@NullMarked
package dev.semel.query.text;

import org.jspecify.annotations.NullMarked;
