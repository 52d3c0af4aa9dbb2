package dev.semel.query.pipeline.window;

/** What a stage may hold; the sizes are estimates of the heap taken. */
public interface WindowMemory {
    /** Refuses what would exceed the limit. */
    void charge(long bytes);

    void release(long bytes);
}
