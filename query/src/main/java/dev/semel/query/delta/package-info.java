/**
 * What changed in a document: the difference of two versions, its application to an older one, and how change streams
 * describe it. Pure. The format is that of MongoDB's operation log, second version. A difference of documents is
 *
 * <pre>
 * { d: {gone: false, ...}, u: {changed: value, ...}, i: {added: value, ...}, sNAME: {difference of NAME}, ... }
 * </pre>
 *
 * with only the parts that are needed: {@code d} fields are removed, {@code u} fields get another value in their place,
 * {@code i} fields are taken away if they are there and put at the end, in this order, and a field with an {@code s}
 * before its name holds the difference of the document or array of that name. A difference of arrays is
 *
 * <pre>
 * { a: true, l: newLength, uINDEX: value, sINDEX: {difference of the element}, ... }
 * </pre>
 *
 * where {@code l} is there only if elements are cut off, and an index may be one behind the last. For example
 * {@code {a: 1, b: [1, 2], c: {d: 1}}} becomes {@code {b: [1, 5], c: {d: 1, e: 2}}} by
 * {@code {d: {a: false}, sb: {a: true, u1: 5}, sc: {i: {e: 2}}}}. Start at {@link dev.semel.query.delta.Delta}.
 */
@NullMarked
package dev.semel.query.delta;

import org.jspecify.annotations.NullMarked;
