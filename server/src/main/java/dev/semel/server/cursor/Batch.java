package dev.semel.server.cursor;

import dev.semel.wire.Limits;

/** How many documents go into one reply, at most; their bytes are limited beside it. */
public record Batch(long documentsMax) {
    /** MongoDB's first batch when the client does not say. */
    public static final Batch FIRST = new Batch(101);

    /** A later batch when the client does not say. */
    public static final Batch WHATEVER_FITS = new Batch(Long.MAX_VALUE);

    /** What stands before a document in a batch, at most: its type and its index. */
    static final int INDEX_BYTES = 10;

    /** Of the documents in a batch of more than one: a batch is never larger than a single document may be. */
    static final int BYTES_MAX = Limits.DOCUMENT_BYTES_MAX;
}
