package dev.semel.query.pipeline.window;

import dev.semel.wire.spill.SpillSpace;
import org.jspecify.annotations.Nullable;

/** What a stage may hold; the sizes are estimates of the heap taken. */
public interface WindowMemory {
    /** Refuses what would exceed the limit. */
    void charge(long bytes);

    /** The same for what an accumulator collects of a window that only grows: MongoDB refuses that with another error. */
    void chargeCollected(long bytes);

    /** The same; false, and nothing was counted, if documents must go to the {@link #disk} first. */
    boolean tryCharge(long bytes);

    void release(long bytes);

    /** The limit. */
    long bytesMax();

    /** Where documents may be written that do not fit; null if nowhere. */
    @Nullable
    SpillSpace disk();
}
