package dev.semel.wire.spill;

/** Writes one run. For one thread. */
public interface SpillWriter extends AutoCloseable {
    /** Adds a record, which is copied. */
    void add(byte[] bytes, int offset, int length);

    /** Ends the run, which is the caller's to close. */
    SpilledRun finish();

    /** Gives up the run unless it was finished. */
    @Override
    void close();
}
