package dev.semel.driver.event;

/** Receives all events of connection pools, in order; must not block. */
@FunctionalInterface
public interface ConnectionPoolListener {
    void on(ConnectionPoolEvent event);
}
