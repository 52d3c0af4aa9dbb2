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
    private final @Nullable StagedRows staged;

    /** Eight bytes of a row. */
    private record Slot(byte[] in, int at, int which, boolean isLittleEndian) {}

    /** Rows of a large commit, which the engine has prepared. */
    record StagedRows(Batch rows, Staged prepared) {}

    CommitDraft(@Nullable StagedRows staged) {
        this.staged = staged;
    }

    /** Adds a row and returns its number. The arrays must not change afterwards. */
    public int put(Table table, byte[] key, byte[] value) {
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
        slots.add(new Slot(in, at, which, false));
    }

    /** The same, little-endian, as BSON has it. */
    public void bsonTimeAt(byte[] in, int at, int which) {
        slots.add(new Slot(in, at, which, true));
    }

    /** The commit's term goes here, little-endian. */
    public void bsonTermAt(byte[] in, int at) {
        slots.add(new Slot(in, at, TERM, true));
    }

    Batch rows() {
        return rows;
    }

    /** Of keys and values, those of staged rows included. */
    public long bytes() {
        return rows.bytes() + (staged == null ? 0 : staged.rows().bytes());
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
            long value = switch (each.which) {
                case COMMIT_TIME -> place.clusterTime();
                case TERM -> place.term();
                default -> place.firstTime() + each.which;
            };
            if (each.isLittleEndian) {
                LittleEndian.putInt64(each.in, each.at, value);
            } else {
                BIG_ENDIAN.set(each.in, each.at, value);
            }
        }
        return new CommitRecord(place, rows, facts, staged);
    }
}
