package dev.semel.server.oplog;

import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transactions;
import dev.semel.store.key.KeyRange;
import dev.semel.wire.bson.RawDocument;
import org.jspecify.annotations.Nullable;

/** The durable entries between two times, forward or backward, of one instant. For one thread at a time. */
public final class OplogScan implements AutoCloseable {
    private final Snapshot snapshot;
    private final boolean reverse;
    private KeyRange left;
    private @Nullable Scan scan;

    OplogScan(Transactions transactions, OplogHistory history, long after, long upTo, boolean reverse) {
        long durable = transactions.durableTime();
        this.reverse = reverse;
        this.snapshot = transactions.snapshot();
        // Asked for after the snapshot is there, which keeps what has not been removed before.
        long removed = history.removedThrough();
        this.left = OplogKeys.between(
                Long.compareUnsigned(after, removed) < 0 ? removed : after,
                Long.compareUnsigned(upTo, durable) < 0 ? upTo : durable);
    }

    public @Nullable RawDocument next() {
        Scan open = scan;
        if (open == null) {
            if (left.isEmpty()) {
                return null;
            }
            open = snapshot.scan(Table.OPLOG, left, reverse);
            scan = open;
        }
        while (open.next()) {
            byte[] key = open.key();
            if (OplogKeys.isEntry(key)) {
                left = reverse ? new KeyRange(left.low(), key) : new KeyRange(KeyRange.successor(key), left.high());
                return RawDocument.of(open.value());
            }
        }
        return null;
    }

    /** Lets go of the engine's iterator, not of the instant. */
    public void pause() {
        Scan open = scan;
        scan = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        pause();
        snapshot.close();
    }
}
