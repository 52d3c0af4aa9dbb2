package dev.semel.store;

/** Changes that are handed out one by one. */
@FunctionalInterface
public interface RowSource {
    void applyTo(Batch.Target target);
}
