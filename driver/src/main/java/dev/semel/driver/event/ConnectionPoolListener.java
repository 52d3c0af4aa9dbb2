package dev.semel.driver.event;

/** Hears of everything that happens in the pools, in order; must not block. */
@FunctionalInterface
public interface ConnectionPoolListener {
    void on(ConnectionPoolEvent event);
}
