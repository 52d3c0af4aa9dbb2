package dev.semel.wire.spill;

/** Where runs are written. For any thread. */
public interface SpillSpace {
    /** What a writer or a reader takes in the heap, a reader also its current record. */
    long BUFFER_BYTES = 2L * (32 << 10);

    /** Begins a run. {@code OutOfDiskSpace} if there is no room for any; so may adding to it. */
    SpillWriter write();
}
