package dev.semel.cli;

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
        read().forEach((key, value) -> {
            if (key.startsWith(PARAMETERS)) {
                options.setParameter(key.substring(PARAMETERS.length()), value);
            } else {
                options.set(known(key), value, file + ": " + key);
            }
        });
    }

    private StartOption known(String key) {
        return StartOption.ofKey(key).orElseThrow(() -> {
            if (MongodOptions.hasKey(key)) {
                return new BadOption(file + ": '" + key + "' is an option of mongod that is not supported yet");
            }
            return new BadOption(
                    file + ": unknown option '" + key + "'; did you mean '" + Nearest.of(key, keys()) + "'?");
        });
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

    private Map<String, String> read() {
        var flat = new LinkedHashMap<String, String>();
        try (var in = Files.newBufferedReader(file)) {
            var load = new Load(LoadSettings.builder().setLabel(file.toString()).build());
            flatten("", load.loadFromReader(in), flat);
        } catch (IOException e) {
            throw new BadOption("cannot read the configuration file " + file + ": " + reason(e));
        } catch (YamlEngineException e) {
            throw new BadOption("the configuration file " + file + " is not YAML: " + e.getMessage());
        }
        return flat;
    }

    private static String reason(IOException e) {
        return e instanceof java.nio.file.NoSuchFileException ? "no such file" : String.valueOf(e.getMessage());
    }

    private void flatten(String prefix, @Nullable Object value, Map<String, String> flat) {
        switch (value) {
            case null -> {
                // A section without content, as when all its lines are comments, says nothing.
                if (StartOption.ofKey(prefix).isPresent()) {
                    throw new BadOption(file + ": '" + prefix + "' has no value");
                }
            }
            case Map<?, ?> section ->
                section.forEach(
                        (name, each) -> flatten(prefix.isEmpty() ? "" + name : prefix + "." + name, each, flat));
            case List<?> list -> put(prefix, list.stream().map(String::valueOf).collect(Collectors.joining(",")), flat);
            default -> put(prefix, value.toString(), flat);
        }
    }

    private void put(String key, String value, Map<String, String> flat) {
        if (key.isEmpty()) {
            throw new BadOption("the configuration file " + file + " must hold sections, such as 'net:'");
        }
        if (flat.put(key, value) != null) {
            throw new BadOption(file + ": '" + key + "' is set twice");
        }
    }
}
