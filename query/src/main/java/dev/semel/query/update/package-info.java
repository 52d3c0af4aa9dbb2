/**
 * Updates: replacement documents, operators such as {@code $set} and {@code $push}, and pipelines, applied to one document
 * at a time. Pure: a document goes in, a document comes out, the same object if nothing changed.
 *
 * <p>Start with {@link dev.semel.query.update.Update}. Operators become a tree by path ({@link
 * dev.semel.query.update.Node}), because two of them must not touch the same path and new fields appear in the order of
 * their names.
 */
@NullMarked
package dev.semel.query.update;

import org.jspecify.annotations.NullMarked;
