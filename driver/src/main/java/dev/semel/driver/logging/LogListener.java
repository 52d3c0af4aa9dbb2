package dev.semel.driver.logging;

/** Hears every log message that the levels let through, whatever the loggers do with it; must not block. */
@FunctionalInterface
public interface LogListener {
    void log(LogMessage message);
}
