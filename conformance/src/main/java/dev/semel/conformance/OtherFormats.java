package dev.semel.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * The data that is not of the unified format. Most of it tests a driver's parts without a server; the official driver
 * offers no way to do so, ours runs it in its own module.
 */
public final class OtherFormats {
    private static final String PURE_PARTS = "tests a driver's parts without a server";

    private static final Map<String, String> FOLDERS = new TreeMap<>(Map.ofEntries(
            Map.entry("auth/legacy", PURE_PARTS),
            Map.entry("bson-binary-vector", "values of a codec library, which is not ours"),
            Map.entry("bson-corpus", "run by the tests of `wire`"),
            Map.entry("connection-monitoring-and-pooling/cmap-format", PURE_PARTS),
            Map.entry("connection-string", PURE_PARTS),
            Map.entry("max-staleness", PURE_PARTS),
            Map.entry("read-write-concern/connection-string", PURE_PARTS),
            Map.entry("read-write-concern/document", PURE_PARTS),
            Map.entry("server-discovery-and-monitoring/errors", PURE_PARTS),
            Map.entry("server-discovery-and-monitoring/load-balanced", PURE_PARTS),
            Map.entry("server-discovery-and-monitoring/monitoring", PURE_PARTS),
            Map.entry("server-discovery-and-monitoring/rs", PURE_PARTS),
            Map.entry("server-discovery-and-monitoring/sharded", PURE_PARTS),
            Map.entry("server-discovery-and-monitoring/single", PURE_PARTS),
            Map.entry("server-selection/in_window", PURE_PARTS),
            Map.entry("server-selection/rtt", PURE_PARTS),
            Map.entry("server-selection/server_selection", PURE_PARTS),
            Map.entry("unified-test-format/invalid", "tests a schema check; the schema is not part of the data"),
            Map.entry("uri-options", PURE_PARTS)));

    private OtherFormats() {}

    /** Whether a file, by its path from the root, is in one of the folders. */
    public static boolean knows(String path) {
        return FOLDERS.keySet().stream().anyMatch(each -> path.startsWith(each + "/"));
    }

    /** A table for the page. */
    public static String table(Path root) throws IOException {
        StringBuilder table = new StringBuilder("| folder | files | |\n| --- | ---: | --- |\n");
        for (Map.Entry<String, String> each : FOLDERS.entrySet()) {
            long count;
            try (var files = Files.walk(root.resolve(each.getKey()))) {
                count = files.filter(file -> file.toString().endsWith(".json")).count();
            }
            table.append("| ")
                    .append(each.getKey())
                    .append(" | ")
                    .append(count)
                    .append(" | ")
                    .append(each.getValue())
                    .append(" |\n");
        }
        return table.toString();
    }
}
