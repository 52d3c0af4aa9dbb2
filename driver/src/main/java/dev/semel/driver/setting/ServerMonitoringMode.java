package dev.semel.driver.setting;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How servers are monitored: they stream changes, they are polled, or automatically one of the two. */
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
