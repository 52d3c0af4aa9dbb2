package dev.semel.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;

/** Which build of Semel this is, and what it runs on. */
record Build(String version, String commit, String engine) {
    private static final String FILE = "build.properties";
    private static final String UNKNOWN = "unknown";

    static Build current() {
        var properties = new Properties();
        try (var in = Build.class.getResourceAsStream(FILE)) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Build(value(properties, "version"), value(properties, "commit"), value(properties, "engine"));
    }

    /** Only Maven fills the file in: another compiler, or a build outside a repository, leaves placeholders. */
    private static String value(Properties properties, String name) {
        var value = properties.getProperty(name, UNKNOWN);
        return value.contains("${") ? UNKNOWN : value;
    }

    /** What {@code --version} prints. */
    List<String> lines() {
        return List.of(
                "semel " + version,
                "commit " + commit,
                "Java " + Runtime.version() + " (" + System.getProperty("java.vendor") + "), "
                        + System.getProperty("java.home"),
                "storage engine " + engine);
    }
}
