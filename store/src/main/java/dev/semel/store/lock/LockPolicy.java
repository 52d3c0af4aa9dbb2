package dev.semel.store.lock;

import java.time.Duration;

/**
 * How an owner waits for locks and which error it gets if it does not get one. The lock timeout counts behind every owner
 * that waits for its client, that is, behind transactions. Statements end by themselves.
 *
 * @param timeoutNanos the lock timeout
 * @param rangeTimeoutNanos the same for a session transaction that waits for a key, which it does behind merged locks only
 */
public record LockPolicy(Kind kind, long timeoutNanos, long rangeTimeoutNanos) {
    /** The kind of the owner, which decides how it waits. */
    public enum Kind {
        /**
         * A statement by itself. It waits for other statements as long as its command may take, and behind a transaction
         * for the lock timeout: 16759 if it is a TokuMX transaction, else {@code LockTimeout} (24). As a deadlock's victim
         * it re-runs ({@link DeadlockVictim}).
         */
        STATEMENT,

        /** A MongoDB session transaction: never waits for a row, {@code WriteConflict} at once. */
        SESSION_TRANSACTION,

        /** Waits for the lock timeout, then 16759; 16760 as a deadlock's victim. The transaction stays open. */
        TOKUMX_TRANSACTION,

        /** A change of the catalog: waits for the lock timeout, then {@code LockTimeout} (24). */
        CATALOG_CHANGE
    }

    public LockPolicy(Kind kind, long timeoutNanos) {
        this(kind, timeoutNanos, timeoutNanos);
    }

    public static LockPolicy of(Kind kind, Duration timeout) {
        return new LockPolicy(kind, timeout.toNanos());
    }

    /** Of a session transaction. */
    public static LockPolicy ofSession(Duration collectionTimeout, Duration rangeTimeout) {
        return new LockPolicy(Kind.SESSION_TRANSACTION, collectionTimeout.toNanos(), rangeTimeout.toNanos());
    }
}
