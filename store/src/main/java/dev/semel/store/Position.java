package dev.semel.store;

/** Up to where an engine has applied: the term, sequence number and cluster time of the newest commit; zeros if there is none. */
public record Position(long term, long sequence, long clusterTime) {
    public static final Position NONE = new Position(0, 0, 0);
}
