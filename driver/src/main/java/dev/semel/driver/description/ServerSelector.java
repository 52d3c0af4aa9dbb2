package dev.semel.driver.description;

import java.util.List;

/**
 * A server selector of the application. It is called with the suitable servers, before the latency window is applied,
 * for every attempt and after every change, so it must not block. An empty list means to wait.
 */
@FunctionalInterface
public interface ServerSelector {
    /** The description contains only the suitable servers. */
    List<ServerDescription> select(TopologyDescription suitable);
}
