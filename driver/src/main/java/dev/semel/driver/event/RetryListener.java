package dev.semel.driver.event;

/** Hears of the attempts of every operation that does not succeed at once, and of nothing else. What it throws is ignored. */
public interface RetryListener {
    /** An attempt has failed, or has succeeded after others failed. */
    default void attemptEnded(RetryEvent event) {}

    /** The operation is over, one way or the other. */
    default void operationEnded(RetryReport report) {}
}
