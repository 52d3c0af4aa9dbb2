package dev.semel.driver.description;

import dev.semel.driver.setting.ServerAddress;
import org.jspecify.annotations.Nullable;

/** A connection, by its number in its pool and, once the server has said it, by the server's number for it. */
public record ConnectionId(
        ServerAddress server, int localValue, @Nullable Long serverValue) {}
