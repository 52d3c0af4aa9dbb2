package dev.semel.driver.event;

/** Receives all events of server discovery and monitoring, in order; must not block. */
@FunctionalInterface
public interface ClusterListener {
    void on(ClusterEvent event);
}
