package dev.semel.store;

/** What a transaction's reads see. All write alike: lock, then judge by the newest committed state. */
public enum Isolation {
    /** A statement by itself: one instant, taken when it first reads, so that it can lock first; see {@link Transaction#refresh}. */
    STATEMENT,

    /** The instant at which the transaction began, and its own writes. */
    SNAPSHOT,

    /** Each view shows the newest committed state; the shared locks that keep it so are the caller's to take. */
    SERIALIZABLE,

    /** Each view shows the newest state, what other transactions have not committed included. */
    READ_UNCOMMITTED
}
