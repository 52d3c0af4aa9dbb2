package dev.semel.driver.event;

/** Hears of every failed attempt, and of operations that succeeded after one. What it throws is ignored. */
public interface RetryListener {
    void attemptFailed(RetryEvent event);

    /** The operation succeeded after {@code attempts}, more than one. */
    default void rescued(long operationId, String commandName, int attempts) {}
}
