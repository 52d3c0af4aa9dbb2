package dev.semel.wire.spill;

/** Records in the order in which they were written. Readers may be opened and used by any thread until it is closed. */
public interface SpilledRun extends AutoCloseable {
    /** How many records there are. */
    long records();

    /** What it takes on disk. */
    long diskBytes();

    SpillReader read();

    /** Removes it; a second call does nothing. */
    @Override
    void close();
}
