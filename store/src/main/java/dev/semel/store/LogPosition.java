package dev.semel.store;

/** The place of an entry in the log of a consensus engine, from which commits came. */
public record LogPosition(long term, long index) {
    /** Of commits that came from no such log. */
    public static final LogPosition NONE = new LogPosition(0, -1);
}
