package dev.semel.server.oplog;

import dev.semel.server.follow.Follower;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.bson.RawDocument;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log forward, entry by entry, as far as it is durable: what a power loss could undo is not shown.
 * Entries that the reader does not want may be skipped. Between {@link #pause} and the next read it keeps only a time. For
 * one thread at a time.
 */
public final class OplogReader implements AutoCloseable {
    private final Transactions transactions;
    private final OplogHistory history;
    private final Follower follower;

    /** Everything up to here has been returned. */
    private long position;

    private long upTo;
    private @Nullable Snapshot snapshot;
    private @Nullable Scan scan;

    /** Returns what is later than a time. */
    OplogReader(Transactions transactions, OplogHistory history, Follower follower, long after) {
        this.transactions = transactions;
        this.history = history;
        this.follower = follower;
        this.position = after;
    }

    /** Everything up to this time has been returned, or does not exist. */
    public long position() {
        return position;
    }

    /** The next entry; null as long as there is none. {@link #position} is its time. */
    public @Nullable RawDocument next() {
        while (true) {
            Scan open = scan;
            if (open == null) {
                long durable = transactions.durableTime();
                if (Long.compareUnsigned(durable, position) <= 0) {
                    return null;
                }
                if (!follower.isTouchedAfter(position)) {
                    position = durable;
                    return null;
                }
                open = open();
            }
            while (open.next()) {
                byte[] key = open.key();
                if (OplogKeys.isEntry(key)) {
                    position = OplogKeys.time(key);
                    return RawDocument.of(open.value());
                }
            }
            position = upTo;
            pause();
        }
    }

    /** The entry that {@link #next} has returned last. */
    public RawDocument again() {
        try (Snapshot taken = transactions.snapshot()) {
            history.require(position - 1);
            byte[] entry = taken.get(Table.OPLOG, OplogKeys.entry(position));
            if (entry == null) {
                throw new IllegalStateException("no entry at " + position);
            }
            return RawDocument.of(entry);
        }
    }

    private Scan open() {
        upTo = transactions.durableTime();
        Snapshot taken = transactions.snapshot();
        snapshot = taken;
        history.require(position);
        Scan opened = taken.scan(Table.OPLOG, OplogKeys.between(position, upTo), false);
        scan = opened;
        return opened;
    }

    /** What the change at this position of the entry just returned has replaced; null if it was not kept. */
    public @Nullable RawDocument replaced(int change) {
        Snapshot open = snapshot;
        if (open != null) {
            return replaced(change, open);
        }
        try (Snapshot taken = transactions.snapshot()) {
            return replaced(change, taken);
        }
    }

    private @Nullable RawDocument replaced(int change, Snapshot from) {
        byte[] image = from.get(Table.OPLOG, OplogKeys.image(position, change));
        return image == null ? null : RawDocument.of(image);
    }

    /** Waits, after {@link #next} has returned null, until there may be more that is wanted, for a limited time. */
    public boolean await(Interruption interruption, Duration atMost) {
        return follower.await(position, interruption, atMost);
    }

    /** Lets go of the engine. */
    public void pause() {
        Scan open = scan;
        scan = null;
        if (open != null) {
            open.close();
        }
        Snapshot taken = snapshot;
        snapshot = null;
        if (taken != null) {
            taken.close();
        }
    }

    @Override
    public void close() {
        pause();
        follower.close();
    }
}
