package dev.semel.server.failpoint;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The commands that a fail point applies to. Null matches all.
 *
 * @param commands their names or aliases
 * @param all of them, whatever the names say
 * @param appName of the client's handshake
 * @param threadName the connection's name in the log, {@code conn} and its number
 */
public record Target(
        Set<String> commands,
        boolean all,
        @Nullable String appName,
        @Nullable String namespace,
        @Nullable String threadName) {
    public Target {
        commands = Set.copyOf(commands);
    }
}
