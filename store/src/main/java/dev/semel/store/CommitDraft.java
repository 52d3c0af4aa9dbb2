package dev.semel.store;

import dev.semel.wire.bson.LittleEndian;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A commit before it has a place in the order: rows, facts, and where in the rows cluster times go, which the
 * {@link Sequencer} fills in. It runs no code of the writer.
 */
public final class CommitDraft {
    /** Of the commit itself, which is that of the last oplog entry. */
    public static final int COMMIT_TIME = -1;

    private static final int TERM = -2;

    private static final VarHandle BIG_ENDIAN =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final Batch rows = new Batch();
    private final List<Fact> facts = new ArrayList<>(4);
    private final List<Slot> slots = new ArrayList<>(4);
    private int times = 1;
    private boolean isAppliedOnceInLog;
    private @Nullable StagedRows staged;
    private final @Nullable Ahead ahead;

    /** In which it may be committed; 0 for any. */
    private long onlyTerm;

    /** Eight bytes of a row. */
    private record Slot(byte[] in, int at, int which, boolean isLittleEndian) {
        void fill(long value) {
            if (isLittleEndian) {
                LittleEndian.putInt64(in, at, value);
            } else {
                BIG_ENDIAN.set(in, at, value);
            }
        }
    }

    /**
     * Rows of a large commit, which the engine has prepared.
     *
     * @param rows null if they are not in the heap
     * @param chunks in which other nodes have those that are not in the heap; null if there are no others
     */
    record StagedRows(
            @Nullable Batch rows, Staged prepared, @Nullable Chunks chunks) {
        /** Of keys and values in the heap. */
        long bytes() {
            return rows == null ? 0 : rows.bytes();
        }
    }

    /** A commit that knows its times before it has a place; the rows of its log entries go to files. */
    private record Ahead(long firstTime, long term, Batch.Target files) {}

    CommitDraft(@Nullable StagedRows staged) {
        this(staged, null);
    }

    private CommitDraft(@Nullable StagedRows staged, @Nullable Ahead ahead) {
        this.staged = staged;
        this.ahead = ahead;
    }

    static CommitDraft ahead(long firstTime, long term, Batch.Target files) {
        return new CommitDraft(null, new Ahead(firstTime, term, files));
    }

    /** The chunks are of no use afterwards. */
    void staged(StagedRows prepared) {
        staged = prepared;
        Chunks chunks = prepared.chunks;
        if (chunks != null) {
            onlyTerm = chunks.term();
            rows.deleteRange(Table.CHUNKS, chunks.keys());
        }
    }

    /** It belongs to others of this term, and must not be committed without them. */
    void onlyIn(long term) {
        onlyTerm = term;
    }

    /** Whether it may be committed in this term. */
    public boolean fits(long term) {
        return onlyTerm == 0 || onlyTerm == term;
    }

    @Nullable
    StagedRows stagedRows() {
        return staged;
    }

    boolean isAhead() {
        return ahead != null;
    }

    /**
     * Adds a row and returns its number; -1 for one of the operation log that is not kept. The arrays must not change
     * afterwards, and the times that go into them are named before.
     */
    public int put(Table table, byte[] key, byte[] value) {
        if (ahead != null && table == Table.OPLOG) {
            ahead.files.put(table, key, value);
            return -1;
        }
        rows.put(table, key, value);
        return rows.size() - 1;
    }

    /** The same for a row that goes. */
    public int delete(Table table, byte[] key) {
        rows.delete(table, key);
        return rows.size() - 1;
    }

    public void add(Fact fact) {
        facts.add(fact);
    }

    /** The number of cluster times that the commit takes: oplog entries must differ in time. */
    public void times(int needed) {
        times = Math.max(times, needed);
    }

    /** A big-endian cluster time goes here: the first, second ... of those the commit takes, or {@link #COMMIT_TIME}. */
    public void timeAt(byte[] in, int at, int which) {
        add(new Slot(in, at, which, false));
    }

    /** The same, little-endian, as BSON has it. */
    public void bsonTimeAt(byte[] in, int at, int which) {
        add(new Slot(in, at, which, true));
    }

    /** The commit's term goes here, little-endian. */
    public void bsonTermAt(byte[] in, int at) {
        add(new Slot(in, at, TERM, true));
    }

    private void add(Slot slot) {
        if (ahead == null || slot.which == COMMIT_TIME) {
            slots.add(slot);
        } else {
            slot.fill(slot.which == TERM ? ahead.term : ahead.firstTime + slot.which);
        }
    }

    Batch rows() {
        return rows;
    }

    /** Of keys and values, those of staged rows that are in the heap included. */
    public long bytes() {
        return rows.bytes() + (staged == null ? 0 : staged.bytes());
    }

    int times() {
        return times;
    }

    /** Nobody sees it before the log has it, even where commits are applied ahead. */
    public void applyOnceInLog() {
        isAppliedOnceInLog = true;
    }

    /** Whether it may be undone, and could be row by row: it removes no range, and none of its rows were staged. */
    public boolean hasWayBack() {
        return !isAppliedOnceInLog && staged == null && !rows.hasRanges();
    }

    /** Assigns its position. */
    CommitRecord at(Place place) {
        for (Slot each : slots) {
            each.fill(
                    switch (each.which) {
                        case COMMIT_TIME -> place.clusterTime();
                        case TERM -> place.term();
                        default -> place.firstTime() + each.which;
                    });
        }
        return new CommitRecord(place, rows, facts, staged, staged == null ? null : staged.chunks);
    }
}
