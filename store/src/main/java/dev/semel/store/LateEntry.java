package dev.semel.store;

import java.util.List;

/**
 * Rows of a commit that depend on its cluster time: oplog entries, at-most-once records. Called once, by the committer,
 * with every other commit waiting behind it: put ready-made bytes and fill in the time, no more.
 */
@FunctionalInterface
public interface LateEntry {
    /** What a small entry takes, with the reference to it. */
    int ENTRY_HEAP_BYTES = 64;

    void write(Stamp stamp);

    /**
     * In the committing thread, before the commit takes its place: the last moment at which work costs nobody else. What
     * has been undone is not among the transaction's entries any more, which come in the order they were appended in.
     */
    default void prepare(List<LateEntry> all) {}

    /** What this takes in the heap, roughly. */
    default long heapBytes() {
        return ENTRY_HEAP_BYTES;
    }

    /** What {@link #prepare} adds to that. */
    default long preparedHeapBytes() {
        return 0;
    }

    /** Takes the next entry in, if the two can be kept as one; a transaction of many small changes stays small then. */
    default boolean absorb(LateEntry next) {
        return false;
    }

    /** How much this has taken in. */
    default int mark() {
        return 0;
    }

    /** Forgets what was taken in since it had this mark. */
    default void truncate(int mark) {}
}
