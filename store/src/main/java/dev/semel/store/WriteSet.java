package dev.semel.store;

import dev.semel.store.key.KeyRange;
import dev.semel.store.tree.TreeCursor;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.memory.MemoryPart;
import dev.semel.wire.memory.Reservation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What a transaction has written and not committed: parts that a savepoint undoes together, and the memory that they take. */
final class WriteSet {
    private static final long DATA_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Transactions owner;
    private final Reservation memory;
    private Writes writes = Writes.NONE;
    private final List<RecordPart> parts = new ArrayList<>(2);
    private final Tallies tallies = new Tallies();
    private final List<RemovedRange> removedRanges = new ArrayList<>(0);

    /** What the parts take. */
    private long partBytes;

    /** Own writes that this transaction has overwritten, and that a savepoint or an open view may still show. */
    private long supersededBytes;

    /** What was written when the last savepoint was taken: no more than that can be kept by it. */
    private long savedBytes;

    private final AtomicInteger openViews = new AtomicInteger();

    /** What the commit may add to the data, where that is in the heap. */
    private @Nullable Reservation growth;

    private record RemovedRange(Table table, KeyRange range) {}

    WriteSet(Transactions owner) {
        this.owner = owner;
        this.memory = owner.writeSets().open();
    }

    Writes writes() {
        return writes;
    }

    boolean isEmpty() {
        return writes.isEmpty() && parts.isEmpty() && tallies.isEmpty() && removedRanges.isEmpty();
    }

    /** What it takes of the memory of all. */
    long heapBytes() {
        return memory.bytes();
    }

    /** A snapshot with what is written by now on top; takes over the snapshot. */
    Snapshot over(Snapshot below) {
        Writes now = writes;
        if (now.isEmpty()) {
            return below;
        }
        openViews.incrementAndGet();
        return new Overlay(below, now, openViews::decrementAndGet);
    }

    /** Nothing that an earlier statement has overwritten can be asked for, unless a view is still open. */
    void beginStatement() {
        if (openViews.get() == 0) {
            supersededBytes = 0;
            savedBytes = 0;
        }
    }

    // Writing, as Transaction describes it

    void put(Table table, byte[] key, byte[] value) {
        change(writes.put(table, key, value), Writes.heapBytes(key, value));
    }

    void delete(Table table, byte[] key) {
        change(writes.delete(table, key), Writes.heapBytes(key, Writes.DELETED));
    }

    void mark(Table table, byte[] key) {
        change(writes.mark(table, key), Writes.heapBytes(key, Writes.DELETED));
    }

    void deleteRange(Table table, KeyRange range) {
        // The range goes before the writes apply, so these must not.
        for (TreeCursor at = writes.cursor(table, range, false); at.next(); ) {
            if (!Writes.isDeleted(at.value())) {
                delete(table, at.key());
            }
        }
        removedRanges.add(new RemovedRange(table, range));
    }

    void append(RecordPart entry) {
        if (!parts.isEmpty()) {
            RecordPart last = parts.getLast();
            long before = last.heapBytes();
            if (last.absorb(entry)) {
                partBytes += last.heapBytes() - before;
                charge();
                return;
            }
        }
        parts.add(entry);
        partBytes += entry.heapBytes();
        charge();
    }

    void tally(int collection, Namespace namespace, long documents, long bytes) {
        tallies.add(collection, namespace, documents, bytes);
    }

    SizeChange tallied(int collection) {
        return tallies.of(collection);
    }

    Savepoint savepoint() {
        if (openViews.get() == 0) {
            supersededBytes = Math.min(supersededBytes, savedBytes);
        }
        savedBytes = Math.max(savedBytes, writes.bytes());
        int size = parts.size();
        int mark = size == 0 ? 0 : parts.getLast().mark();
        return new Savepoint(writes, size, mark, tallies.mark(), removedRanges.size());
    }

    void rollbackTo(Savepoint savepoint) {
        writes = savepoint.writes;
        parts.subList(savepoint.parts, parts.size()).clear();
        if (!parts.isEmpty()) {
            parts.getLast().truncate(savepoint.partMark);
        }
        partBytes = 0;
        for (RecordPart each : parts) {
            partBytes += each.heapBytes();
        }
        tallies.truncate(savepoint.tallies);
        removedRanges.subList(savepoint.removedRanges, removedRanges.size()).clear();
        charge();
    }

    // Memory

    /** With what the entry would take if it were a new one: what is less than that was there before. */
    private void change(Writes changed, long entryBytes) {
        long superseded = entryBytes - (changed.bytes() - writes.bytes());
        if (superseded > 0) {
            long kept = supersededBytes + superseded;
            supersededBytes = openViews.get() > 0 ? kept : Math.max(supersededBytes, Math.min(kept, savedBytes));
        }
        charge(changed.bytes());
        writes = changed;
    }

    private void charge() {
        charge(writes.bytes());
    }

    private void charge(long writtenBytes) {
        long bytes = writtenBytes + partBytes + supersededBytes + tallies.heapBytes();
        long more = bytes - memory.bytes();
        if (more <= 0) {
            memory.shrink(-more);
            return;
        }
        long max = owner.options().transactionBytesMax();
        if (bytes > max) {
            throw new CommandException(
                    ErrorCode.TransactionTooLarge,
                    "Transaction exceeds the limit of %d bytes of uncommitted writes set by the parameter"
                            + " transactionBytesMax",
                    max);
        }
        grow(more);
    }

    private void grow(long more) {
        // Large ones leave room to small ones; if that is taken too, then by many small ones, which end soon.
        boolean fits = memory.isSmallWith(more) ? growWaiting(memory, more, WAIT_NANOS) : memory.tryGrow(more);
        if (!fits) {
            throw memory.part().refusal(ErrorCode.TransactionTooLarge, "Uncommitted writes of all transactions");
        }
    }

    private static boolean growWaiting(Reservation reservation, long more, long nanosMax) {
        try {
            return reservation.tryGrow(more, nanosMax);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException(ErrorCode.Interrupted, "operation was interrupted");
        }
    }

    /** Before anything is promised: what the commit itself takes, and room for what it adds to data in the heap. */
    void reserveForCommit() {
        long prepared = 0;
        for (RecordPart each : parts) {
            prepared += each.addedHeapBytes();
        }
        if (prepared > 0) {
            grow(prepared);
        }
        MemoryPart data = owner.data();
        if (data != null && writes.addedBytes() > 0) {
            growth = reserveData(data, writes.addedBytes());
        }
    }

    private Reservation reserveData(MemoryPart data, long bytes) {
        Reservation reservation = data.open();
        if (reservation.growIfFree(bytes)) {
            return reservation;
        }
        owner.versions().relieve();
        // The log is shortened from time to time; most of what is full is not for long.
        if (!growWaiting(reservation, bytes, DATA_WAIT_NANOS)) {
            throw data.refusal(ErrorCode.ExceededMemoryLimit, "Data in memory");
        }
        return reservation;
    }

    // Ending

    /** Whether its rows can be prepared beside the commits of others. */
    boolean canBeStaged() {
        return removedRanges.isEmpty();
    }

    /** What the commit log is given. {@code staged} are documents and index entries that are prepared; null if none are. */
    CommitDraft draft(CommitDraft.@Nullable StagedRows staged) {
        CommitDraft draft = new CommitDraft(staged);
        for (RemovedRange each : removedRanges) {
            draft.rows().deleteRange(each.table, each.range);
        }
        writes.addTo(draft.rows(), table -> staged == null || !Transactions.isStaged(table));
        tallies.addTo(draft);
        List<RecordPart> all = Collections.unmodifiableList(parts);
        for (RecordPart each : all) {
            each.addTo(draft, all);
        }
        return draft;
    }

    /** Afterwards references to the transaction, which may live for long, keep nothing of what it wrote. */
    void clear() {
        writes = Writes.NONE;
        parts.clear();
        tallies.clear();
        removedRanges.clear();
        memory.close();
        Reservation reserved = growth;
        if (reserved != null) {
            reserved.close();
        }
    }
}
