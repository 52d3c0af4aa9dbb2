package dev.semel.store;

/** The ordered key spaces of a database. Each is a column family of its own in an engine that has such a thing. */
public enum Table {
    /** Collection number and encoded {@code _id} to the document's BSON. */
    DOCUMENTS,
    /** Index number, encoded fields and encoded {@code _id} to type bits, or to the document in a clustering index. */
    INDEXES,
    /** Cluster time to the oplog entry. */
    OPLOG,
    /** What is known of retryable writes and committed session transactions. */
    RECORDS,
    /** Databases, collections, indexes and the server's own settings. */
    CATALOG
}
