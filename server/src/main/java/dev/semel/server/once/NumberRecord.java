package dev.semel.server.once;

import dev.semel.store.CommitDraft;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The row of one transaction number: what it was used for, when, and the outcomes of its statements as far as they fit.
 * The bytes are those of the store and do not change, but for the cluster time, which the commit fills in before others
 * see them.
 */
public final class NumberRecord {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private static final int NUMBER = 1;
    private static final int FORGOTTEN = 9;
    private static final int WRITTEN = 17;
    private static final int OP_TIME = 25;
    private static final int PARTS = 33;
    static final int HEADER_BYTES = 37;

    private static final int KEPT_ROWS = 0x80;

    private final byte[] bytes;

    /** What a number was used for. */
    public enum Use {
        WRITE,
        TRANSACTION,
        /** Nothing, and it never will be: a client has asked and got this answer. */
        FENCE
    }

    NumberRecord(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The time is filled in by the commit, see {@link #timeIn}. */
    static NumberRecord of(
            Use use, long number, long forgotten, boolean hasKept, long writtenMillis, int parts, StatementRuns runs) {
        byte[] bytes = runs.toBytes(HEADER_BYTES);
        bytes[0] = (byte) (use.ordinal() + 1 | (hasKept ? KEPT_ROWS : 0));
        LONG.set(bytes, NUMBER, number);
        LONG.set(bytes, FORGOTTEN, forgotten);
        LONG.set(bytes, WRITTEN, writtenMillis);
        INT.set(bytes, PARTS, parts);
        return new NumberRecord(bytes);
    }

    /** The commit fills its time in. */
    void timeIn(CommitDraft draft) {
        draft.timeAt(bytes, OP_TIME, CommitDraft.COMMIT_TIME);
    }

    byte[] bytes() {
        return bytes;
    }

    public Use use() {
        return switch (bytes[0] & ~KEPT_ROWS & 0xFF) {
            case 1 -> Use.WRITE;
            case 2 -> Use.TRANSACTION;
            case 3 -> Use.FENCE;
            default -> throw new IllegalStateException("a record of an unknown kind");
        };
    }

    public long number() {
        return (long) LONG.get(bytes, NUMBER);
    }

    /** What this number and lower ones of the session were used for is not known any more; -1 for none. */
    long forgotten() {
        return (long) LONG.get(bytes, FORGOTTEN);
    }

    /** Whether lower numbers of the session may have rows of their own. */
    boolean hasKept() {
        return (bytes[0] & KEPT_ROWS) != 0;
    }

    /** Of the wall clock. */
    public long writtenMillis() {
        return (long) LONG.get(bytes, WRITTEN);
    }

    /** The cluster time of the commit that has written the row. */
    public long opTime() {
        return (long) LONG.get(bytes, OP_TIME);
    }

    /** Rows with further statements. */
    int parts() {
        return (int) INT.get(bytes, PARTS);
    }
}
