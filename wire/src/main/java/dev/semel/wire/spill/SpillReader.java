package dev.semel.wire.spill;

/** A walk over a run. For one thread. */
public interface SpillReader extends AutoCloseable {
    /** Moves on; false after the last record. */
    boolean next();

    /** Holds the current record; its content is undefined after the next call of {@link #next}. */
    byte[] array();

    int offset();

    int length();

    /** The current record in an array that is never changed afterwards. */
    byte[] copy();

    @Override
    void close();
}
