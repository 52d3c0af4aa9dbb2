/**
 * How values compare ({@link dev.semel.query.value.ValueOrder}), add ({@link dev.semel.query.value.Numbers}) and are
 * reached inside a document ({@link dev.semel.query.value.DottedPath}). A missing value is Java's null. Uses
 * {@code wire}.
 */
@NullMarked
package dev.semel.query.value;

import org.jspecify.annotations.NullMarked;
