package dev.semel.store.lock;

/**
 * How an owner waits for locks and which error it gets if it does not get one.
 *
 * @param timeoutNanos how long a lock is waited for where the kind says that the lock timeout counts
 */
public record LockPolicy(Kind kind, long timeoutNanos) {
    /** The kind of the owner, which decides how it waits. */
    public enum Kind {
        /**
         * A statement by itself. It waits as long as its command may take, but behind a TokuMX transaction, which has no
         * end of its own, only for the lock timeout (16759). As a deadlock's victim it re-runs ({@link DeadlockVictim}).
         */
        STATEMENT,

        /** A MongoDB session transaction: never waits for a row, {@code WriteConflict} at once. */
        SESSION_TRANSACTION,

        /** Waits for the lock timeout, then 16759; 16760 as a deadlock's victim. The transaction stays open. */
        TOKUMX_TRANSACTION,

        /** A change of the catalog: waits for the lock timeout, then {@code LockTimeout} (24). */
        CATALOG_CHANGE
    }

    public static LockPolicy of(Kind kind, java.time.Duration timeout) {
        return new LockPolicy(kind, timeout.toNanos());
    }
}
