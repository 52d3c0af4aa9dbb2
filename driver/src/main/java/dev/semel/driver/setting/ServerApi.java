package dev.semel.driver.setting;

import org.jspecify.annotations.Nullable;

/** The stable API: the version every command declares, and whether to be strict about it. */
public record ServerApi(
        String version, @Nullable Boolean strict, @Nullable Boolean deprecationErrors) {
    public static ServerApi of(String version) {
        return new ServerApi(version, null, null);
    }
}
