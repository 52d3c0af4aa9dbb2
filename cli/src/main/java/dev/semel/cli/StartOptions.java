package dev.semel.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The options of a server from all sources: the command line takes precedence over the environment, and that over the file.
 * Problems are collected, so that {@link #refuseProblems} names all of them at once.
 */
final class StartOptions {
    private static final String MONGOD_ENGINE = "wiredTiger";

    private final Map<StartOption, Given> values = new EnumMap<>(StartOption.class);
    private final Map<String, String> parameters = new TreeMap<>();
    private final Set<String> problems = new LinkedHashSet<>();
    private final List<Ignored> ignored = new ArrayList<>();

    /** A value and where it was given, to name that in a message. */
    private record Given(String value, String source) {}

    /** What was accepted although it has no effect. */
    record Ignored(String source, String reason) {}

    /** Each later source of options replaces what earlier ones said. */
    void set(StartOption option, String value, String source) {
        if (option == StartOption.ENGINE && value.equals(MONGOD_ENGINE)) {
            // The engine of every mongod there is: files that name it mean the durable one.
            values.put(option, new Given(option.fallback(), source));
            ignored.add(new Ignored(source, "'" + value + "' is taken as '" + option.fallback() + "'"));
            return;
        }
        option.objection(value)
                .ifPresentOrElse(
                        objection -> problem(source + " " + objection),
                        () -> values.put(option, new Given(value, source)));
    }

    void ignore(IgnoredOption option, String value, String source) {
        option.objection(value)
                .ifPresentOrElse(
                        objection -> problem(source + " " + objection),
                        () -> ignored.add(new Ignored(source, option.reason())));
    }

    void problem(String problem) {
        problems.add(problem);
    }

    void refuseProblems() {
        if (!problems.isEmpty()) {
            throw new BadOption(List.copyOf(problems));
        }
    }

    /** In the order in which they were given. */
    List<Ignored> ignored() {
        return List.copyOf(ignored);
    }

    void setParameter(String assignment) {
        int equals = assignment.indexOf('=');
        if (equals < 1) {
            problem("--setParameter takes NAME=VALUE, not '" + assignment + "'");
            return;
        }
        setParameter(assignment.substring(0, equals), assignment.substring(equals + 1));
    }

    void setParameter(String name, String value) {
        parameters.put(name, value);
    }

    String text(StartOption option) {
        return given(option).orElse(option.fallback());
    }

    Optional<String> given(StartOption option) {
        return Optional.ofNullable(values.get(option)).map(Given::value);
    }

    /** Where it was given, in words that name the option. */
    String source(StartOption option) {
        var given = values.get(option);
        return given == null ? option.argument() : given.source();
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

    boolean hasAccessControl() {
        return is(StartOption.AUTH)
                || text(StartOption.AUTHORIZATION).equals("enabled")
                || given(StartOption.KEY_FILE).isPresent()
                || given(StartOption.CLUSTER_AUTH_MODE).isPresent();
    }

    /** What no single value shows: options that contradict each other. */
    void check() {
        if (integer(StartOption.PORT) > 65_535) {
            problem("the port must be at most 65535, not " + text(StartOption.PORT));
        }
        if (integer(StartOption.VERBOSITY) > 5) {
            problem("the verbosity must be at most 5, not " + text(StartOption.VERBOSITY));
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
        refuseBoth(
                is(StartOption.AUTH),
                "--auth",
                given(StartOption.AUTHORIZATION).filter("disabled"::equals).isPresent(),
                "security.authorization: disabled");
        var turnedOff =
                given(StartOption.AUTHORIZATION).filter("disabled"::equals).isPresent();
        refuseBoth(given(StartOption.KEY_FILE).isPresent(), "--keyFile", turnedOff, "security.authorization: disabled");
        refuseBoth(
                given(StartOption.CLUSTER_AUTH_MODE).isPresent(),
                "--clusterAuthMode",
                turnedOff,
                "security.authorization: disabled");
        refuseBoth(
                is(StartOption.BIND_IP_ALL),
                "--bind_ip_all",
                given(StartOption.BIND_IP).isPresent(),
                "--bind_ip");
        if (given(StartOption.LOG_DESTINATION).isPresent()
                && given(StartOption.LOG_PATH).isEmpty()) {
            problem("systemLog.destination 'file' needs systemLog.path");
        }
    }

    private void refuseBoth(boolean first, String firstName, boolean second, String secondName) {
        if (first && second) {
            problem("either " + firstName + " or " + secondName + ", not both");
        }
    }

    /** What was given, without the defaults. */
    @Override
    public String toString() {
        var lines = new ArrayList<String>();
        values.forEach((option, given) -> lines.add(option + "=" + given.value()));
        parameters.forEach((name, value) -> lines.add(name + "=" + value));
        ignored.forEach(each -> lines.add("ignored: " + each.source() + ", because " + each.reason()));
        return String.join("\n", lines);
    }
}
