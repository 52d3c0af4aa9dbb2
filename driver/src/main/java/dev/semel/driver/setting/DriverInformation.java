package dev.semel.driver.setting;

import org.jspecify.annotations.Nullable;

/** A library on top of the driver, for the client metadata that servers get. An empty text counts as none. */
public record DriverInformation(
        String name, @Nullable String version, @Nullable String platform) {
    public DriverInformation {
        version = unlessEmpty(version);
        platform = unlessEmpty(platform);
    }

    private static @Nullable String unlessEmpty(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }
}
