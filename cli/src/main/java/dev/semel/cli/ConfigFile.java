package dev.semel.cli;

import dev.semel.wire.FileFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** {@code mongod}'s configuration file: YAML, sections nested or written with dots. */
final class ConfigFile {
    private static final String PARAMETERS = "setParameter.";

    private final Path file;

    ConfigFile(Path file) {
        this.file = file;
    }

    void setIn(StartOptions options) {
        read(options).forEach((key, value) -> {
            var source = file + ": " + key;
            var option = StartOption.ofKey(key);
            var ignored = IgnoredOption.ofKey(key);
            if (key.startsWith(PARAMETERS)) {
                options.setParameter(key.substring(PARAMETERS.length()), value);
            } else if (option.isPresent()) {
                options.set(option.get(), value, source);
            } else if (ignored.isPresent()) {
                options.ignore(ignored.get(), value, source);
            } else {
                options.problem(file + ": " + unknown(key));
            }
        });
    }

    private static String unknown(String key) {
        return MongodOptions.hasKey(key)
                ? "'" + key + "' is an option of mongod that is not supported yet"
                : "unknown option '" + key + "'" + Nearest.hint(key, keys());
    }

    private static List<String> keys() {
        var keys = new ArrayList<String>();
        for (var option : StartOption.values()) {
            if (!option.key().isEmpty()) {
                keys.add(option.key());
            }
        }
        return keys;
    }

    private Map<String, String> read(StartOptions options) {
        var flat = new LinkedHashMap<String, String>();
        try (var in = Files.newBufferedReader(file)) {
            var load = new Load(LoadSettings.builder().setLabel(file.toString()).build());
            flatten("", load.loadFromReader(in), flat, options);
        } catch (IOException e) {
            options.problem("cannot read the configuration file " + file + ": " + FileFailure.reason(e));
        } catch (YamlEngineException e) {
            options.problem("the configuration file " + file + " is not YAML: " + e.getMessage());
        }
        return flat;
    }

    private void flatten(String prefix, @Nullable Object value, Map<String, String> flat, StartOptions options) {
        switch (value) {
            case null -> {
                // A section without content, as when all its lines are comments, says nothing.
                if (StartOption.ofKey(prefix).isPresent()) {
                    options.problem(file + ": '" + prefix + "' has no value");
                }
            }
            case Map<?, ?> section ->
                section.forEach((name, each) ->
                        flatten(prefix.isEmpty() ? "" + name : prefix + "." + name, each, flat, options));
            case List<?> list ->
                put(prefix, list.stream().map(String::valueOf).collect(Collectors.joining(",")), flat, options);
            default -> put(prefix, value.toString(), flat, options);
        }
    }

    private void put(String key, String value, Map<String, String> flat, StartOptions options) {
        if (key.isEmpty()) {
            options.problem("the configuration file " + file + " must hold sections, such as 'net:'");
        } else if (flat.put(key, value) != null) {
            options.problem(file + ": '" + key + "' is set twice");
        }
    }
}
