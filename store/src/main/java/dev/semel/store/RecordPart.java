package dev.semel.store;

import dev.semel.wire.spill.SpillSpace;
import java.util.List;

/**
 * What a transaction adds to its commit's record beside the rows that it has put: oplog entries, at-most-once records,
 * facts. It shows in no view before the commit. The record is made by the thread that commits, before the commit has a
 * place in the order, so work costs others nothing.
 */
@FunctionalInterface
public interface RecordPart {
    /** What a small part takes, with the reference to it. */
    int PART_HEAP_BYTES = 64;

    /**
     * Adds itself. Asked in the order in which the parts were appended.
     *
     * @param all the parts of the transaction; what has been undone is not among them any more
     */
    void addTo(CommitDraft draft, List<RecordPart> all);

    /** What this takes in the heap, roughly. */
    default long heapBytes() {
        return PART_HEAP_BYTES;
    }

    /** What {@link #addTo} adds to that. */
    default long addedHeapBytes() {
        return 0;
    }

    /** Moves to temporary files what is worth it. {@link #addTo} then gets a draft that keeps no rows of the log. */
    default void spill(SpillSpace files) {}

    /** It is not needed any more: removes those files. */
    default void close() {}

    /** Takes the next part in, if the two can be kept as one; a transaction of many small changes stays small then. */
    default boolean absorb(RecordPart next) {
        return false;
    }

    /** How much this has taken in. */
    default int mark() {
        return 0;
    }

    /** Forgets what was taken in since it had this mark. */
    default void truncate(int mark) {}
}
