package dev.semel.driver.logging;

/** Receives every log message that the levels allow, independently of the loggers; must not block. */
@FunctionalInterface
public interface LogListener {
    void log(LogMessage message);
}
