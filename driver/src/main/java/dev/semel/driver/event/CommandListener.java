package dev.semel.driver.event;

/** Hears of every command of the application, not of those that watch servers. What it throws is ignored. */
public interface CommandListener {
    default void commandStarted(CommandStartedEvent event) {}

    default void commandSucceeded(CommandSucceededEvent event) {}

    default void commandFailed(CommandFailedEvent event) {}
}
