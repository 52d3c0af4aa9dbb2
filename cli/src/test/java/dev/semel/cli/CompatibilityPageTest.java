package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.GeneratedPage;
import dev.semel.server.LocalConnection;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The page for users says what the server understands, and the server is asked for it: every name of MongoDB's that
 * {@code names.txt} has is tried, and what is not refused by name is there.
 */
class CompatibilityPageTest {
    /** NotImplemented, and IndexNotFound for want of any text index. */
    private static final Set<Integer> NOT_THERE = Set.of(27, 238);

    /** Operators that stand beside fields; the others are within one. */
    private static final Set<String> TOP_LEVEL =
            Set.of("$and", "$expr", "$jsonSchema", "$nor", "$or", "$sampleRate", "$text", "$where");

    private Server server;
    private LocalConnection connection;

    @BeforeEach
    void start() throws IOException {
        server = Server.start(ServerOptions.memory().inProcess());
        connection = server.connect();
        run("{'create': 'c', '$db': 'db'}");
    }

    @AfterEach
    void stop() {
        connection.close();
        server.close();
    }

    @Test
    void pageSaysWhatTheServerUnderstands() throws IOException {
        var names = names();
        var page = new StringBuilder();
        var commands = commands();
        assertThat(of(names, "commands"))
                .as("names.txt has every command of the server")
                .containsAll(commands);
        section(page, "Commands", of(names, "commands"), commands::contains);
        section(
                page,
                "Query operators",
                of(names, "query operators"),
                name -> isUnderstood(
                        TOP_LEVEL.contains(name)
                                ? "{'find': 'c', 'filter': {'%s': 'any'}, '$db': 'db'}"
                                : "{'find': 'c', 'filter': {'a': {'%s': 1}}, '$db': 'db'}",
                        name,
                        "unknown"));
        section(
                page,
                "Update operators",
                of(names, "update operators"),
                name -> isUnderstood(
                        "{'update': 'c', 'updates': [{'q': {}, 'u': {'%s': {'a': 1}}}], '$db': 'db'}",
                        name, "Unknown modifier"));
        section(
                page,
                "Aggregation stages",
                of(names, "stages"),
                name -> isUnderstood(
                        "{'aggregate': 'c', 'pipeline': [{'%s': 1}], 'cursor': {}, '$db': 'db'}",
                        name, "Unrecognized pipeline stage name"));
        section(
                page,
                "Expressions",
                of(names, "expressions"),
                name -> isUnderstood(
                        "{'aggregate': 'c', 'pipeline': [{'$addFields': {'x': {'%s': 1}}}], 'cursor': {}, '$db': 'db'}",
                        name, "Unrecognized expression"));
        section(
                page,
                "Accumulators of $group",
                of(names, "accumulators"),
                name -> isUnderstood(
                        "{'aggregate': 'c', 'pipeline': [{'$group': {'_id': null, 'x': {'%s': 1}}}], 'cursor': {},"
                                + " '$db': 'db'}",
                        name, "unknown group operator"));
        section(
                page,
                "Window functions of $setWindowFields",
                of(names, "window functions"),
                name -> isUnderstood(
                        "{'aggregate': 'c', 'pipeline': [{'$setWindowFields': {'sortBy': {'a': 1}, 'output':"
                                + " {'x': {'%s': 1}}}}], 'cursor': {}, '$db': 'db'}",
                        name, "Unrecognized window function"));
        GeneratedPage.named("compatibility.md").check(page + "\n");
    }

    private Set<String> commands() {
        var names = new TreeSet<String>();
        if (run("{'listCommands': 1, '$db': 'admin'}").get("commands") instanceof Value.Doc(RawDocument commands)) {
            commands.forEach(each -> names.add(each.name()));
        }
        return names;
    }

    /** Whether the server refuses a command that uses this name for another reason than the name, or not at all. */
    private boolean isUnderstood(String command, String name, String refusal) {
        var reply = error(run(command.formatted(name)));
        boolean unimplemented = reply.get("code") instanceof Value.Int32(int code) && NOT_THERE.contains(code);
        boolean unknown = reply.get("errmsg") instanceof Value.Str(var message)
                && message.toString().contains(refusal);
        return !unimplemented && !unknown;
    }

    /** A write that fails says so in a part of its reply. */
    private static RawDocument error(RawDocument reply) {
        return reply.get("writeErrors") instanceof Value.Array(RawDocument errors)
                        && errors.get("0") instanceof Value.Doc(RawDocument first)
                ? first
                : reply;
    }

    private RawDocument run(String command) {
        return connection.run(Json.parse(command.replace('\'', '"')));
    }

    private static void section(StringBuilder page, String title, List<String> names, Predicate<String> understood) {
        var known = names.stream().collect(Collectors.partitioningBy(understood));
        page.append("\n## ").append(title).append("\n");
        line(page, "", Objects.requireNonNull(known.get(true)));
        line(page, "Not yet: ", Objects.requireNonNull(known.get(false)));
    }

    private static void line(StringBuilder page, String start, List<String> names) {
        if (!names.isEmpty()) {
            page.append("\n")
                    .append(start)
                    .append(names.stream().map(name -> "`" + name + "`").collect(Collectors.joining(" ")))
                    .append("\n");
        }
    }

    private static List<String> of(Map<String, List<String>> names, String group) {
        return Objects.requireNonNull(names.get(group), group);
    }

    private static Map<String, List<String>> names() throws IOException {
        var groups = new LinkedHashMap<String, List<String>>();
        var group = new ArrayList<String>();
        try (var in = Objects.requireNonNull(
                        CompatibilityPageTest.class.getResourceAsStream("/compatibility/names.txt"));
                var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (var line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.startsWith("# ")) {
                    group = new ArrayList<>();
                    groups.put(line.substring(2), group);
                } else if (!line.isBlank()) {
                    group.add(line);
                }
            }
        }
        return groups;
    }
}
