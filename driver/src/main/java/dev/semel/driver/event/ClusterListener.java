package dev.semel.driver.event;

/** Hears of everything that is learnt about the servers, in order; must not block. */
@FunctionalInterface
public interface ClusterListener {
    void on(ClusterEvent event);
}
