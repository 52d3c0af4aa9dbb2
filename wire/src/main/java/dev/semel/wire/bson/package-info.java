/**
 * Raw BSON: documents that stay bytes until a field is needed. Start with {@link dev.semel.wire.bson.RawDocument},
 * {@link dev.semel.wire.bson.Value} and {@link dev.semel.wire.bson.BsonWriter}; {@link dev.semel.wire.bson.Json} is the
 * way to text and back. Uses limits and error codes, and of others nothing but the JDK.
 */
@NullMarked
package dev.semel.wire.bson;

import org.jspecify.annotations.NullMarked;
