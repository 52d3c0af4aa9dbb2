package dev.semel.driver.description;

import java.util.List;

/**
 * The application's own choice among the servers that suit an operation, before those that answer slowly are left out. It is
 * asked for every attempt and again after every change, so it must not block; none of them means to wait.
 */
@FunctionalInterface
public interface ServerSelector {
    /** The description has only the servers to choose from. */
    List<ServerDescription> select(TopologyDescription suitable);
}
