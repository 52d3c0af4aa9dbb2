package dev.semel.store;

import dev.semel.store.key.KeyRange;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.memory.MemoryPart;
import dev.semel.wire.memory.Reservation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a transaction has written and not committed: parts that a savepoint undoes together, and the memory that they take. */
final class WriteSet {
    private static final long DATA_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Where writes can be spilled, they are when they take this much, or this share of what a transaction may hold. */
    private static final long HEAP_BYTES_MAX = 64L << 20;

    private static final int HEAP_SHARE = 4;

    /** Less is not worth it, even if there is no room for more. */
    private static final long SPILLED_BYTES_MIN = 1L << 20;

    /** What the engine takes beside the heap for the rows that were spilled: it limits how many transactions may spill. */
    private static final long ENGINE_BYTES = 8L << 20;

    /** What a commit has of its log entries at a time, where they go to files. */
    private static final long ENTRY_BYTES = 8L << 20;

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

    /** After how many spills it was taken. */
    private long savedAfter;

    private final OpenViews openViews = new OpenViews();

    /** What the heap does not hold; null if there is nothing. */
    private @Nullable SpilledWrites spilled;

    /** How often what was in the heap has left it. */
    private long spills;

    /** What of the parts could not be spilled the last time. */
    private long remainingPartBytes;

    /** What the commit may add to the data, where that is in the heap. */
    private @Nullable Reservation growth;

    private record RemovedRange(Table table, KeyRange range, boolean isRetired) {}

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
        Runnable closing = openViews.opened(spills, now.bytes());
        SpilledWrites shown = spilled;
        if (shown == null || !shown.tryAcquire()) {
            return new Overlay(below, now, closing);
        }
        return new Overlay(below, now, () -> {
            closing.run();
            shown.release();
        });
    }

    /** Nothing that an earlier statement has overwritten can be asked for, unless a view is still open. */
    void beginStatement() {
        if (openViews.areNone()) {
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
        remove(new RemovedRange(table, range, false));
    }

    void retire(Table table, KeyRange range) {
        remove(new RemovedRange(table, range, true));
    }

    private void remove(RemovedRange removed) {
        Table table = removed.table;
        KeyRange range = removed.range;
        // The range goes before the writes apply, so these must not.
        Writes now = writes;
        SpilledWrites.State below = now.spilled();
        if (below != null) {
            deleteAll(table, below.rows(table, range, false));
        }
        deleteAll(table, new WrittenRows.InHeap(now.cursor(table, range, false)));
        removedRanges.add(removed);
    }

    private void deleteAll(Table table, WrittenRows rows) {
        try (rows) {
            while (rows.next()) {
                if (!rows.isDeletion()) {
                    delete(table, rows.key());
                }
            }
        }
    }

    void append(RecordPart entry) {
        if (!parts.isEmpty()) {
            RecordPart last = parts.getLast();
            long before = last.heapBytes();
            if (last.absorb(entry)) {
                partBytes += last.heapBytes() - before;
                settle();
                return;
            }
        }
        parts.add(entry);
        partBytes += entry.heapBytes();
        settle();
    }

    void tally(int collection, Namespace namespace, long documents, long bytes) {
        tallies.add(collection, namespace, documents, bytes);
    }

    SizeChange tallied(int collection) {
        return tallies.of(collection);
    }

    Savepoint savepoint() {
        if (openViews.areNone()) {
            supersededBytes = Math.min(supersededBytes, savedBytes);
        }
        savedBytes = savedAfter == spills ? Math.max(savedBytes, writes.bytes()) : writes.bytes();
        savedAfter = spills;
        int size = parts.size();
        int mark = size == 0 ? 0 : parts.getLast().mark();
        return new Savepoint(writes, size, mark, tallies.mark(), removedRanges.size());
    }

    void rollbackTo(Savepoint savepoint) {
        writes = earlier(savepoint.writes);
        List<RecordPart> undone = parts.subList(savepoint.parts, parts.size());
        undone.forEach(RecordPart::close);
        undone.clear();
        if (!parts.isEmpty()) {
            parts.getLast().truncate(savepoint.partMark);
        }
        countParts();
        tallies.truncate(savepoint.tallies);
        removedRanges.subList(savepoint.removedRanges, removedRanges.size()).clear();
        charge();
    }

    /** The same as these, with what was spilled in the state of that time. */
    private Writes earlier(Writes saved) {
        SpilledWrites.State then = saved.spilled();
        SpilledWrites from = spilled;
        if (from == null || from.isAt(then)) {
            return saved;
        }
        spills++;
        if (then == null) {
            spilled = null;
            from.release();
            return saved;
        }
        return saved.over(from.restore(then));
    }

    private void countParts() {
        partBytes = 0;
        for (RecordPart each : parts) {
            partBytes += each.heapBytes();
        }
    }

    // Memory

    /** With what the entry would take if it were a new one: what is less than that was there before. */
    private void change(Writes changed, long entryBytes) {
        long superseded = entryBytes - (changed.bytes() - writes.bytes());
        if (superseded > 0) {
            long kept = supersededBytes + superseded;
            supersededBytes = !openViews.areNone() ? kept : Math.max(supersededBytes, Math.min(kept, savedBytes));
        }
        Writes before = writes;
        writes = changed;
        try {
            settle();
        } catch (CommandException e) {
            if (writes == changed) {
                writes = before;
            }
            throw e;
        }
    }

    /** Spills if there is more than should be in the heap, and accounts for what is. */
    private void settle() {
        if (owner.scratchSpace() != null) {
            long max = Math.min(HEAP_BYTES_MAX, owner.options().transactionBytesMax() / HEAP_SHARE);
            if (spillableBytes() + supersededBytes > max) {
                spill();
            }
        }
        charge();
    }

    private long spillableBytes() {
        return writes.bytes() + partBytes - remainingPartBytes;
    }

    private boolean canSpill() {
        return owner.scratchSpace() != null && spillableBytes() >= SPILLED_BYTES_MIN;
    }

    private void spill() {
        ScratchSpace files = owner.scratchSpace();
        if (files == null) {
            throw new IllegalStateException("nowhere to spill to");
        }
        parts.forEach(each -> each.spill(files));
        countParts();
        remainingPartBytes = partBytes;
        SpilledWrites into = spilled;
        if (into == null) {
            into = SpilledWrites.open(owner.store(), files);
            spilled = into;
        }
        writes = Writes.of(into.add(writes));
        spills++;
        // What is kept of it is counted from now on by when it was shown.
        supersededBytes = 0;
    }

    boolean hasSpilled() {
        return spilled != null;
    }

    /** What is still in the heap too: all rows are in one place then. */
    void spillRows() {
        if (writes.bytes() > 0) {
            spill();
            charge();
        }
    }

    /** What views and a savepoint keep in the heap of what has been spilled since. */
    private long keptBytes() {
        return spills == 0 ? 0 : openViews.keptBytes(spills) + (savedAfter < spills ? savedBytes : 0);
    }

    private void charge() {
        long bytes = writes.bytes() + partBytes + supersededBytes + tallies.heapBytes() + keptBytes();
        long max = owner.options().transactionBytesMax();
        if (bytes > max) {
            throw new CommandException(
                    ErrorCode.TransactionTooLarge,
                    "Transaction exceeds the limit of %d bytes of uncommitted writes set by the parameter"
                            + " transactionBytesMax",
                    max);
        }
        reserve(bytes + (spilled == null ? 0 : ENGINE_BYTES));
    }

    private void reserve(long bytes) {
        long more = bytes - memory.bytes();
        if (more <= 0) {
            memory.shrink(-more);
        } else if (memory.growIfFree(more)) {
            return;
        } else if (canSpill()) {
            spill();
            charge();
        } else {
            grow(more);
        }
    }

    private void grow(long more) {
        // Large ones leave room to small ones; if that is taken too, then by many small ones, which end soon.
        boolean fits = memory.isSmallWith(more) ? growWaiting(memory, more, WAIT_NANOS) : memory.tryGrow(more);
        if (!fits) {
            throw memory.part().refusal(ErrorCode.TransactionTooLarge, "Uncommitted writes of all transactions");
        }
    }

    /**
     * Memory for what is made of a document before it is written, until it is closed. It is never more than half of what
     * there is: the document itself needs some beside it, and in a small heap would not get it however often it is tried.
     */
    Reservation reserveBeside(long bytes) {
        Reservation reservation = owner.writeSets().open();
        long bytesMax = owner.writeSets().bytesMax() / 2;
        if (!growWaiting(reservation, Math.min(bytes, bytesMax), WAIT_NANOS)) {
            reservation.close();
            throw memory.part().refusal(ErrorCode.TransactionTooLarge, "Uncommitted writes of all transactions");
        }
        return reservation;
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
        if (hasSpilled()) {
            prepared = Math.min(prepared, ENTRY_BYTES);
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
        addTo(draft, table -> staged == null || !Transactions.isStaged(table));
        return draft;
    }

    /** With the rows of some tables. */
    void addTo(CommitDraft draft, Predicate<Table> which) {
        for (RemovedRange each : removedRanges) {
            if (each.isRetired) {
                draft.rows().retire(each.table, each.range);
            } else {
                draft.rows().deleteRange(each.table, each.range);
            }
        }
        writes.addTo(draft.rows().target(), which);
        tallies.addTo(draft);
        List<RecordPart> all = Collections.unmodifiableList(parts);
        for (RecordPart each : all) {
            each.addTo(draft, all);
        }
    }

    /** Afterwards references to the transaction, which may live for long, keep nothing of what it wrote. */
    void clear() {
        writes = Writes.NONE;
        parts.forEach(RecordPart::close);
        parts.clear();
        SpilledWrites rows = spilled;
        spilled = null;
        if (rows != null) {
            rows.release();
        }
        tallies.clear();
        removedRanges.clear();
        memory.close();
        Reservation reserved = growth;
        if (reserved != null) {
            reserved.close();
        }
    }
}
