package dev.semel.cli;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a server was told, from all sources: the command line wins over the environment, that over the file. */
final class StartOptions {
    private final Map<StartOption, String> values = new EnumMap<>(StartOption.class);
    private final Map<String, String> parameters = new TreeMap<>();

    /** Each later source of options replaces what earlier ones said. */
    void set(StartOption option, String value, String source) {
        option.objection(value).ifPresent(objection -> {
            throw new BadOption(source + " " + objection);
        });
        values.put(option, value);
    }

    void setParameter(String assignment) {
        int equals = assignment.indexOf('=');
        if (equals < 1) {
            throw new BadOption("--setParameter takes NAME=VALUE, not '" + assignment + "'");
        }
        setParameter(assignment.substring(0, equals), assignment.substring(equals + 1));
    }

    void setParameter(String name, String value) {
        parameters.put(name, value);
    }

    void setFromEnvironment(Map<String, String> environment) {
        for (var option : StartOption.values()) {
            var value = option.key().isEmpty() ? null : environment.get(option.variable());
            if (value != null) {
                set(option, value, "environment variable " + option.variable());
            }
        }
    }

    String text(StartOption option) {
        return values.getOrDefault(option, option.fallback());
    }

    Optional<String> given(StartOption option) {
        return Optional.ofNullable(values.get(option));
    }

    Optional<Path> path(StartOption option) {
        return Optional.of(text(option)).filter(text -> !text.isEmpty()).map(Path::of);
    }

    int integer(StartOption option) {
        return Integer.parseInt(text(option));
    }

    boolean is(StartOption option) {
        return Boolean.parseBoolean(text(option));
    }

    List<String> list(StartOption option) {
        return Arrays.stream(text(option).split(",", -1))
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .toList();
    }

    /** Server parameters, name to value as it was written. */
    Map<String, String> parameters() {
        return parameters;
    }

    boolean isMemory() {
        return is(StartOption.MEMORY) || text(StartOption.ENGINE).equals("memory");
    }

    boolean hasTls() {
        return !text(StartOption.TLS_MODE).equals(StartOption.TLS_MODE.fallback());
    }

    boolean hasAccessControl() {
        return is(StartOption.AUTH) || text(StartOption.AUTHORIZATION).equals("enabled");
    }

    /** What no single value shows: options that contradict each other. */
    void check() {
        if (integer(StartOption.PORT) > 65_535) {
            throw new BadOption("the port must be at most 65535, not " + text(StartOption.PORT));
        }
        if (integer(StartOption.VERBOSITY) > 5) {
            throw new BadOption("the verbosity must be at most 5, not " + text(StartOption.VERBOSITY));
        }
        refuseBoth(isMemory(), "the memory engine", given(StartOption.DB_PATH).isPresent(), "a database path");
        refuseBoth(
                is(StartOption.STANDALONE),
                "standalone",
                given(StartOption.REPLICA_SET).isPresent(),
                "a replica set name");
        refuseBoth(
                is(StartOption.MEMORY),
                "--memory",
                text(StartOption.ENGINE).equals("rocksdb")
                        && given(StartOption.ENGINE).isPresent(),
                "the engine rocksdb");
        if (hasTls() && text(StartOption.TLS_KEY_FILE).isEmpty()) {
            throw new BadOption("TLS needs a certificate: --tlsCertificateKeyFile, net.tls.certificateKeyFile");
        }
        refuseBoth(
                is(StartOption.AUTH),
                "--auth",
                given(StartOption.AUTHORIZATION).filter("disabled"::equals).isPresent(),
                "security.authorization: disabled");
        refuseBoth(
                is(StartOption.BIND_IP_ALL),
                "--bind_ip_all",
                given(StartOption.BIND_IP).isPresent(),
                "--bind_ip");
        if (given(StartOption.LOG_DESTINATION).isPresent()
                && given(StartOption.LOG_PATH).isEmpty()) {
            throw new BadOption("systemLog.destination 'file' needs systemLog.path");
        }
    }

    private static void refuseBoth(boolean first, String firstName, boolean second, String secondName) {
        if (first && second) {
            throw new BadOption("either " + firstName + " or " + secondName + ", not both");
        }
    }

    /** What was given, without the defaults. */
    @Override
    public String toString() {
        return Stream.concat(values.entrySet().stream(), parameters.entrySet().stream())
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining("\n"));
    }
}
