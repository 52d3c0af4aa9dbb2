package dev.semel.driver.setting;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How a server is watched: it pushes its changes, it is asked every so often, or whichever suits the surroundings. */
public enum ServerMonitoringMode {
    STREAM,
    POLL,
    AUTO;

    static Optional<ServerMonitoringMode> named(String name) {
        return Arrays.stream(values())
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst();
    }
}
