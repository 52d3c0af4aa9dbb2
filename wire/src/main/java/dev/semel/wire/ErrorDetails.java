package dev.semel.wire;

import dev.semel.wire.bson.RawDocument;

/** Fields of an error reply beside {@code code} and {@code errmsg}: {@code errInfo}, {@code keyPattern}, {@code keyValue}. */
public record ErrorDetails(RawDocument fields) {
    public static final ErrorDetails NONE = new ErrorDetails(RawDocument.EMPTY);
}
