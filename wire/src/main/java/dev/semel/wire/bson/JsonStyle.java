package dev.semel.wire.bson;

/** The two ways to write Extended JSON (version 2). Both can be read again; only one keeps every type. */
public enum JsonStyle {
    /** Every number says its type; what is read again is what was written. */
    CANONICAL,

    /** Numbers and dates as people write them, at the price that an int64 may be read again as an int32. */
    RELAXED
}
