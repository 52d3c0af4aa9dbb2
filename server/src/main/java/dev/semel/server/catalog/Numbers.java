package dev.semel.server.catalog;

import dev.semel.store.Isolation;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Gives collections and indexes their numbers. No number is ever given twice, or what a crash or an old snapshot has left
 * under it could be taken for something new; so a block of them is reserved by its own commit before the first is
 * used, whatever becomes of the transaction that uses it.
 */
final class Numbers {
    private static final int BLOCK = 256;

    private final Transactions transactions;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock. */
    private long next;

    private long reservedBelow;

    Numbers(Transactions transactions) {
        this.transactions = transactions;
        takeOver();
    }

    /** Another node may have given numbers meanwhile. */
    void takeOver() {
        lock.lock();
        try (Snapshot snapshot = transactions.snapshot()) {
            byte[] row = snapshot.get(Table.CATALOG, CatalogRows.NEXT_NUMBER);
            next = row == null ? 1 : ByteBuffer.wrap(row).getLong();
            reservedBelow = next;
        } finally {
            lock.unlock();
        }
    }

    int next() {
        lock.lock();
        try {
            if (next == reservedBelow) {
                reserve(next + BLOCK);
            }
            return (int) next++;
        } finally {
            lock.unlock();
        }
    }

    private void reserve(long below) {
        if (below > 1L << 32) {
            throw new CommandException(ErrorCode.ResourceExhausted, "all numbers for collections and indexes are used");
        }
        LockPolicy policy = LockPolicy.of(LockPolicy.Kind.CATALOG_CHANGE, Duration.ZERO);
        try (Transaction transaction = transactions.begin(Isolation.STATEMENT, policy, Interruption.unlimited())) {
            byte[] row = ByteBuffer.allocate(8).putLong(below).array();
            transaction.put(Table.CATALOG, CatalogRows.NEXT_NUMBER, row);
            transaction.commit().awaitApplied();
        }
        reservedBelow = below;
    }
}
