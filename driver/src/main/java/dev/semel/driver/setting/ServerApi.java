package dev.semel.driver.setting;

import org.jspecify.annotations.Nullable;

/** The stable API: the version that every command declares, and whether the server enforces it. */
public record ServerApi(
        String version, @Nullable Boolean strict, @Nullable Boolean deprecationErrors) {
    public ServerApi {
        if (!version.equals("1")) {
            throw new IllegalArgumentException("The version of the stable API must be 1, found " + version);
        }
    }

    public static ServerApi of(String version) {
        return new ServerApi(version, null, null);
    }
}
