package dev.semel.driver.event;

/** Receives events of operations whose first attempt fails. Exceptions of a listener are ignored. */
public interface RetryListener {
    /** An attempt has failed, or has succeeded after others failed. */
    default void attemptEnded(RetryEvent event) {}

    /** The operation has succeeded or failed. */
    default void operationEnded(RetryReport report) {}
}
