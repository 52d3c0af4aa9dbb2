package dev.semel.store;

import java.util.List;

/** The ordered key spaces of a database. Each is a column family of its own in an engine that has such a thing. */
public enum Table {
    /** Collection number and encoded {@code _id} to the document's BSON. */
    DOCUMENTS(0),
    /** Index number, encoded fields and encoded {@code _id} to type bits, or to the document in a clustering index. */
    INDEXES(1),
    /** Cluster time to the oplog entry. */
    OPLOG(2),
    /** What is known of retryable writes and committed session transactions. */
    RECORDS(3),
    /** Databases, collections, indexes and the server's own settings. */
    CATALOG(4),
    /**
     * Sequence number to the previous values of the rows of the commits that end with it, as long as they may be
     * undone.
     */
    UNDO(5),
    /** Entries of a consensus log that this node has and does not apply yet: see {@link HeldEntries}. */
    HELD(6),
    /** Rows of large commits on their way to all nodes: see {@link Chunks}. */
    CHUNKS(7);

    private final int index;

    private static final List<Table> ALL = List.of(values());

    Table(int index) {
        this.index = index;
    }

    /** From 0 without gaps, as an index of arrays that hold something for each table. */
    public int index() {
        return index;
    }

    /** The table of this {@link #index}. */
    public static Table at(int index) {
        return ALL.get(index);
    }
}
