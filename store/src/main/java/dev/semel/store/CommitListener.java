package dev.semel.store;

/**
 * Keeps something in memory about committed data, as a function of the records that have been applied, in order. Called by
 * the {@link Applier} with every other commit waiting behind, so it must be quick.
 */
public interface CommitListener {
    /** The rows are in the engine, and no reader sees them yet. */
    default void applied(CommitRecord record) {}

    /** Readers see them. */
    default void visible(CommitRecord record) {}
}
