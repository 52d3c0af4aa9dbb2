package dev.semel.wire;

/** The protocol's sizes, as {@code hello} announces them and every decoder enforces them. */
public final class Limits {
    /** The largest document a client may store. */
    public static final int DOCUMENT_BYTES_MAX = 16 * 1024 * 1024;

    /** What a document may grow by on the way (a command around it, an oplog entry of it). */
    public static final int DOCUMENT_BYTES_ALLOWANCE = 16 * 1024;

    public static final int MESSAGE_BYTES_MAX = 48_000_000;
    public static final int WRITE_BATCH_MAX = 100_000;

    /** Nesting of a stored document. */
    public static final int DEPTH_MAX = 100;

    /** Nesting of a message, which wraps documents. */
    public static final int MESSAGE_DEPTH_MAX = 200;

    private Limits() {}
}
