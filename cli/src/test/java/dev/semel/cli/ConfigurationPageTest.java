package dev.semel.cli;

import dev.semel.golden.GeneratedPage;
import dev.semel.server.settings.Setting;
import dev.semel.server.settings.Settings;
import dev.semel.wire.bson.Json;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The page about options lists the options there are. */
class ConfigurationPageTest {
    /** Defaults that differ from those of a server with a small heap inside a program. */
    private static final Map<String, String> DEFAULTS = Map.of(
            "enableTestCommands", "`false`, with `--memory` `true`",
            "maxSessions", "`1000000`, fewer in a small heap",
            "onceBytesMax", "`1073741824`, with `--memory` a share of the heap",
            "oplogSizeMB", "`1024`, with `--memory` `64`");

    @Test
    void pageListsEveryOptionAndParameter() throws IOException {
        GeneratedPage.named("configuration.md").check(options() + "\n## Server parameters\n\n" + parameters());
    }

    private static String options() {
        var page = new StringBuilder("""
            | command line | file | environment | default | meaning |
            | --- | --- | --- | --- | --- |
            | `--config`, `-f` | | | | Configuration file with mongod's YAML names. |
            | `--setParameter` | `setParameter.*` | | | A server parameter, `NAME=VALUE`. |
            """);
        for (var option : StartOption.values()) {
            page.append("| ")
                    .append(code(option.argument()))
                    .append(" | ")
                    .append(code(option.key()))
                    .append(" | ")
                    .append(code(option.variable()))
                    .append(" | ")
                    .append(code(option.fallback()))
                    .append(" | ")
                    .append(option.description())
                    .append(" |\n");
        }
        return page.toString();
    }

    private static String parameters() {
        var page = new StringBuilder("| parameter | default | may be set |\n| --- | --- | --- |\n");
        var settings = new Settings(0, false);
        var shares = settings.memory.all();
        var onDisk = settings.storage.defaults();
        for (var setting : settings.all()) {
            page.append("| ")
                    .append(code(setting.name()))
                    .append(" | ")
                    .append(
                            shares.contains(setting)
                                    ? "a share of the heap"
                                    : onDisk.getOrDefault(
                                            setting, DEFAULTS.getOrDefault(setting.name(), value(setting))))
                    .append(" | ")
                    .append(when(setting))
                    .append(" |\n");
        }
        return page.toString();
    }

    private static String value(Setting<?> setting) {
        return code(Json.relaxed(setting.shown()));
    }

    private static String when(Setting<?> setting) {
        if (setting.isSettable(Setting.When.AT_RUNTIME)) {
            return "at any time";
        }
        return setting.isSettableAtStart() ? "at the start" : "never";
    }

    private static String code(String text) {
        return text.isEmpty() ? "" : "`" + text + "`";
    }
}
