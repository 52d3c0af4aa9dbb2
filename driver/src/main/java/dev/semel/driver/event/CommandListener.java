package dev.semel.driver.event;

/** Receives the events of all commands except those of monitors. Exceptions of a listener are ignored. */
public interface CommandListener {
    default void commandStarted(CommandStartedEvent event) {}

    default void commandSucceeded(CommandSucceededEvent event) {}

    default void commandFailed(CommandFailedEvent event) {}
}
