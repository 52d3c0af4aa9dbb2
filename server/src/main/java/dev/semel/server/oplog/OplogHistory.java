package dev.semel.server.oplog;

import dev.semel.server.follow.Followers;
import dev.semel.server.follow.Interest;
import dev.semel.store.CommitListener;
import dev.semel.store.CommitRecord;
import dev.semel.store.Fact;
import dev.semel.store.Isolation;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * How far back the log reaches. Entries go, oldest first, when the log is larger than it may be and they are older than
 * the time for which entries are kept in any case.
 */
public final class OplogHistory {
    /** A pass removes a little more than it must, so that the next is not due at once. */
    private static final double KEPT_SHARE = 0.9;

    /** What the first entry says. */
    private static final String BEGINNING = "initiating set";

    /** In the table of the catalog: the time up to which entries are removed, which may still lie there. */
    private static final byte[] REMOVED_KEY = {'O'};

    private final Transactions transactions;
    private final OplogWriter writer;
    private final Followers followers;
    private final LongSupplier bytesMax;
    private final Supplier<Duration> minRetention;
    private final InstantSource clock;

    /** Everything up to here may be gone. */
    private volatile long removedThrough;

    public OplogHistory(
            Transactions transactions,
            OplogWriter writer,
            Followers followers,
            LongSupplier bytesMax,
            Supplier<Duration> minRetention,
            InstantSource clock) {
        this.transactions = transactions;
        this.writer = writer;
        this.followers = followers;
        this.bytesMax = bytesMax;
        this.minRetention = minRetention;
        this.clock = clock;
        transactions.listen(new CommitListener() {
            @Override
            public void applied(CommitRecord record) {
                record.forEach(Fact.OplogTruncated.class, each -> removedThrough = each.clusterTime());
            }
        });
        removedThrough = storedOrBeforeFirst();
    }

    /** While nothing has been removed, all there ever was if there is a first entry. */
    private long storedOrBeforeFirst() {
        try (Snapshot snapshot = transactions.snapshot()) {
            byte[] stored = snapshot.get(Table.CATALOG, REMOVED_KEY);
            if (stored != null) {
                return OplogKeys.time(stored);
            }
            try (Scan scan = snapshot.scan(Table.OPLOG, KeyRange.ALL, false)) {
                return scan.next() ? OplogKeys.time(scan.key()) - 1 : snapshot.clusterTime();
            }
        }
    }

    /** By the primary: sees to it that the log has a first entry. What may have happened before it is not known. */
    public void begin() {
        try (Snapshot snapshot = transactions.snapshot();
                Scan scan = snapshot.scan(Table.OPLOG, KeyRange.ALL, false)) {
            if (scan.next()) {
                return;
            }
        }
        try (Transaction first = begin(transactions)) {
            writer.noted(first, BEGINNING);
            long before = transactions.visibleTime();
            note(before, first);
            first.commit().awaitDurable();
        }
    }

    private static Transaction begin(Transactions transactions) {
        LockPolicy noLocks = new LockPolicy(LockPolicy.Kind.STATEMENT, 0);
        return transactions.begin(Isolation.STATEMENT, noLocks, Interruption.unlimited());
    }

    /** Fails if entries after this time may be missing. Call it after opening the snapshot to read. */
    public void require(long after) {
        if (Long.compareUnsigned(after, removedThrough) < 0) {
            throw new CommandException(
                    ErrorCode.ChangeStreamHistoryLost,
                    "Resume of change stream was not possible, as the resume point may no longer be in the oplog.");
        }
    }

    /**
     * From where to read what is later than a time. Fails if that may be missing; while nothing has been removed from the
     * log, it is all there for any time before the log's beginning.
     */
    public long startBehind(long time) {
        long removed = removedThrough;
        if (Long.compareUnsigned(time, removed) < 0 && hasBeginning()) {
            return removed;
        }
        require(time);
        return time;
    }

    private boolean hasBeginning() {
        try (Snapshot snapshot = transactions.snapshot();
                Scan scan = snapshot.scan(Table.OPLOG, present(), false)) {
            return scan.next()
                    && RawDocument.of(scan.value()).get("o") instanceof Value.Doc(RawDocument note)
                    && Value.of(BEGINNING).equals(note.get("msg"));
        }
    }

    /** Reads what is later than a time, for a reader that waits for certain changes. The caller closes it. */
    public OplogReader reader(long after, Interest interest) {
        return new OplogReader(transactions, this, followers.follow(interest), after);
    }

    /** Reads what is there now between two times, the first one excluded. */
    public OplogScan scan(long after, long upTo, boolean reverse) {
        return new OplogScan(transactions, this, after, upTo, reverse);
    }

    /** The time up to which entries may be gone. */
    public long removedThrough() {
        return removedThrough;
    }

    /** How large the log may be. */
    public long bytesMax() {
        return bytesMax.getAsLong();
    }

    public long bytes() {
        return transactions.store().approximateBytes(Table.OPLOG, present());
    }

    public long entries() {
        return transactions.store().approximateCount(Table.OPLOG, present());
    }

    /** What has been removed may still lie there. */
    private KeyRange present() {
        return OplogKeys.between(removedThrough, -1);
    }

    // ---- removal

    /** From time to time: removes what need not be kept any more. */
    public void shorten() {
        long limit = bytesMax();
        long removed = removedThrough;
        if (bytesAfter(removed) <= limit) {
            return;
        }
        long low = removed;
        long high = transactions.durableTime();
        long keptSince = clock.instant().minus(minRetention.get()).getEpochSecond() << 32;
        if (!minRetention.get().isZero() && Long.compareUnsigned(keptSince, high) < 0) {
            high = keptSince;
        }
        // The latest time after which there is still as much as has to be kept.
        while (Long.compareUnsigned(high - low, 1) > 0 && Long.compareUnsigned(low, high) < 0) {
            long middle = low + (high - low) / 2;
            if (bytesAfter(middle) > limit * KEPT_SHARE) {
                low = middle;
            } else {
                high = middle;
            }
        }
        if (Long.compareUnsigned(low, removed) > 0) {
            remove(low);
        }
    }

    private long bytesAfter(long time) {
        return transactions.store().approximateBytes(Table.OPLOG, OplogKeys.between(time, -1));
    }

    private void remove(long through) {
        try (Transaction transaction = begin(transactions)) {
            transaction.retire(Table.OPLOG, OplogKeys.through(through));
            note(through, transaction);
            transaction.commit().awaitApplied();
        }
    }

    private static void note(long removedThrough, Transaction transaction) {
        transaction.put(Table.CATALOG, REMOVED_KEY, OplogKeys.entry(removedThrough));
        // Learnt before they are gone: a reader that does not find them then knows why.
        transaction.append((draft, all) -> draft.add(new Fact.OplogTruncated(removedThrough)));
    }
}
