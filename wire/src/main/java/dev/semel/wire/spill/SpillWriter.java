package dev.semel.wire.spill;

import java.nio.ByteBuffer;
import java.util.List;

/** Writes one run. For one thread. */
public interface SpillWriter extends AutoCloseable {
    /** Adds a record of these parts, one behind the other, which are copied. */
    void add(List<ByteBuffer> parts);

    /** Adds a record, which is copied. */
    default void add(byte[] bytes, int offset, int length) {
        add(List.of(ByteBuffer.wrap(bytes, offset, length)));
    }

    /** Ends the run, which is the caller's to close. */
    SpilledRun finish();

    /** Gives up the run unless it was finished. */
    @Override
    void close();
}
