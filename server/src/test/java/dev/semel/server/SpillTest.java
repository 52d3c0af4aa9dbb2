package dev.semel.server;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries that need more memory than they may have finish with temporary files, of which nothing stays. */
class SpillTest {
    private static final int DOCUMENTS = 12_000;

    @TempDir
    Path directory;

    private static RawDocument run(LocalConnection connection, String command) throws Exception {
        return connection.run(Json.parse(command));
    }

    /** About 5 MB, in an order that is not that of {@code k}. */
    private static void insert(LocalConnection connection) throws Exception {
        for (int from = 0; from < DOCUMENTS; from += 3_000) {
            BsonWriter insert =
                    new BsonWriter().put("insert", "c").put("$db", "db").startArray("documents");
            for (int i = from; i < from + 3_000; i++) {
                insert.startDocument()
                        .put("_id", i)
                        .put("k", (int) (i * 7_919L % DOCUMENTS))
                        .put("s", "x".repeat(400))
                        .end();
            }
            connection.run(insert.end().finish());
        }
    }

    private Server start(Path data, String... parameters) throws Exception {
        Map<String, String> all = new java.util.HashMap<>(Map.of("queryBytesMax", "1048576"));
        for (int i = 0; i < parameters.length; i += 2) {
            all.put(parameters[i], parameters[i + 1]);
        }
        return Server.start(ServerOptions.directory(data).inProcess().parameters(all));
    }

    private static List<RawDocument> all(LocalConnection connection, RawDocument first) throws Exception {
        List<RawDocument> found = new ArrayList<>();
        RawDocument reply = first;
        String batch = "firstBatch";
        while (true) {
            assertThat(reply.get("ok")).as(reply.toString()).isEqualTo(Value.of(1.0));
            RawDocument cursor = document(reply, "cursor");
            if (cursor.get(batch) instanceof Value.Array(RawDocument elements)) {
                elements.forEach(each -> {
                    if (each.value() instanceof Value.Doc(RawDocument document)) {
                        found.add(document);
                    }
                });
            }
            Value id = cursor.get("id");
            if (id == null || id.equals(Value.of(0L))) {
                return found;
            }
            batch = "nextBatch";
            reply = connection.run(new BsonWriter()
                    .put("getMore", id)
                    .put("collection", "c")
                    .put("batchSize", 5_000)
                    .put("$db", "db")
                    .finish());
        }
    }

    private static RawDocument document(RawDocument in, String field) {
        return in.get(field) instanceof Value.Doc(RawDocument document) ? document : RawDocument.EMPTY;
    }

    private static long figure(LocalConnection connection, String name) throws Exception {
        RawDocument status = run(connection, "{\"serverStatus\": 1, \"$db\": \"admin\"}");
        return document(status, "temporaryFiles").get(name) instanceof Value.Int64(long figure) ? figure : -1;
    }

    @Test
    void sortsAndGroupsSpillAndFinish() throws Exception {
        try (Server server = start(directory);
                LocalConnection connection = server.connectAsClient()) {
            insert(connection);
            List<RawDocument> sorted =
                    all(connection, run(connection, "{\"find\": \"c\", \"sort\": {\"k\": 1}, \"$db\": \"db\"}"));
            assertThat(sorted).hasSize(DOCUMENTS);
            for (int i = 0; i < DOCUMENTS; i++) {
                assertThat(sorted.get(i).get("k")).isEqualTo(Value.of(i));
            }
            assertThat(figure(connection, "runs")).isPositive();
            assertThat(figure(connection, "bytes")).isZero();
            assertThat(figure(connection, "files")).isZero();

            long before = figure(connection, "runs");
            List<RawDocument> groups = all(
                    connection,
                    run(
                            connection,
                            "{\"aggregate\": \"c\", \"cursor\": {}, \"$db\": \"db\", \"pipeline\": [{\"$group\":"
                                    + " {\"_id\": \"$k\", \"all\": {\"$push\": \"$$ROOT\"}}}, {\"$count\": \"n\"}]}"));
            assertThat(groups)
                    .containsExactly(new BsonWriter().put("n", DOCUMENTS).finish());
            assertThat(figure(connection, "runs")).isGreaterThan(before);
            assertThat(figure(connection, "bytes")).isZero();
        }
        assertThat(directory.resolve("_tmp")).doesNotExist();
    }

    @Test
    void aCursorThatIsKilledGivesUpItsFiles() throws Exception {
        try (Server server = start(directory);
                LocalConnection connection = server.connectAsClient()) {
            insert(connection);
            RawDocument first = run(connection, "{\"find\": \"c\", \"sort\": {\"k\": 1}, \"$db\": \"db\"}");
            assertThat(figure(connection, "bytes")).isPositive();
            connection.run(new BsonWriter()
                    .put("killCursors", "c")
                    .startArray("cursors")
                    .add(Objects.requireNonNull(document(first, "cursor").get("id")))
                    .end()
                    .put("$db", "db")
                    .finish());
            assertThat(figure(connection, "bytes")).isZero();
            assertThat(figure(connection, "files")).isZero();
        }
    }

    /** Otherwise a few that nobody reads on would leave no memory to others for minutes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "'find': 'c', 'sort': {'k': 1}, 'batchSize': 10",
                "'aggregate': 'c', 'cursor': {'batchSize': 10}, 'pipeline': [{'$unwind': '$k'}, {'$sort': {'k': 1}}]",
                "'aggregate': 'c', 'cursor': {'batchSize': 10}, 'pipeline': ["
                        + "{'$group': {'_id': '$k', 'k': {'$first': '$k'}, 'all': {'$push': '$$ROOT'}}}]",
                "'aggregate': 'c', 'cursor': {'batchSize': 10}, 'pipeline': [{'$sample': {'size': 100000}}]",
                "'aggregate': 'c', 'cursor': {'batchSize': 10}, 'pipeline': [{'$bucketAuto': {'groupBy': '$k', "
                        + "'buckets': 12000, 'output': {'k': {'$first': '$k'}, 's': {'$first': '$s'}}}}]"
            })
    void aCursorThatWaitsLeavesScarceMemoryToOthers(String command) throws Exception {
        String text = "{" + command.replace('\'', '"') + ", \"$db\": \"db\"}";
        try (Server server = start(directory, "queryBytesMax", "16777216", "queryBytesTotalMax", "10485760");
                LocalConnection connection = server.connectAsClient()) {
            insert(connection);
            List<RawDocument> cursors = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                cursors.add(run(connection, text));
                RawDocument status = run(connection, "{\"serverStatus\": 1, \"$db\": \"admin\"}");
                RawDocument queries = document(document(document(status, "memoryAccount"), "parts"), "queries");
                assertThat(number(queries, "used")).as(queries.toString()).isLessThan(2_000_000);
            }
            for (RawDocument each : cursors) {
                List<RawDocument> found = all(connection, each);
                assertThat(found).hasSize(DOCUMENTS);
                // As sets, because the library compares each with each where the order is free.
                assertThat(found.stream().map(document -> document.get("k")).collect(toSet()))
                        .isEqualTo(IntStream.range(0, DOCUMENTS)
                                .mapToObj(Value::of)
                                .collect(toSet()));
            }
            assertThat(figure(connection, "bytes")).isZero();
        }
    }

    /** It stays in memory as it was. */
    @Test
    void aCursorThatCannotSpillGoesOn() throws Exception {
        try (Server server = start(
                        directory,
                        "queryBytesMax",
                        "16777216",
                        "queryBytesTotalMax",
                        "10485760",
                        "temporaryFileBytesMax",
                        "200000");
                LocalConnection connection = server.connectAsClient()) {
            insert(connection);
            RawDocument first = run(
                    connection,
                    "{\"aggregate\": \"c\", \"cursor\": {\"batchSize\": 1}, \"$db\": \"db\", \"pipeline\":"
                            + " [{\"$group\": {\"_id\": {\"$mod\": [\"$k\", 40]}, \"k\": {\"$push\": \"$k\"}, \"all\":"
                            + " {\"$push\": \"$$ROOT\"}}}]}");
            List<RawDocument> groups = all(connection, first);
            assertThat(groups).hasSize(40);
            for (RawDocument group : groups) {
                assertThat(group.get("k") instanceof Value.Array(RawDocument elements) ? elements.size() : -1)
                        .isEqualTo(DOCUMENTS / 40);
            }
        }
    }

    @Test
    void explainSaysThatTheDiskWasUsed() throws Exception {
        try (Server server = start(directory);
                LocalConnection connection = server.connectAsClient()) {
            insert(connection);
            String explain = "{\"explain\": {\"find\": \"c\", \"sort\": {\"k\": 1}}, \"verbosity\": \"executionStats\","
                    + " \"$db\": \"db\"}";
            assertThat(run(connection, explain).toString())
                    .contains("\"memLimit\": 1048576", "\"usedDisk\": true", "\"spills\": 6");
            assertThat(figure(connection, "bytes")).isZero();
        }
    }

    @Test
    void explainSaysWhichStagesOfAPipelineUsedTheDisk() throws Exception {
        try (Server server = start(directory);
                LocalConnection connection = server.connectAsClient()) {
            insert(connection);
            String explain = "{\"explain\": {\"aggregate\": \"c\", \"cursor\": {}, \"pipeline\": [%s]},"
                    + " \"verbosity\": \"executionStats\", \"$db\": \"db\"}";
            RawDocument group = stage(
                    run(
                            connection,
                            explain.formatted("{\"$group\": {\"_id\": \"$k\", \"all\": {\"$push\": \"$$ROOT\"}}}")),
                    "$group");
            assertThat(group.get("usedDisk")).isEqualTo(Value.of(true));
            assertThat(number(group, "spills")).isPositive();
            assertThat(number(group, "spilledRecords")).isEqualTo(DOCUMENTS);
            assertThat(number(group, "numBytesSpilledEstimate")).isGreaterThan(DOCUMENTS * 400L);
            assertThat(number(group, "spilledDataStorageSize")).isPositive();
            assertThat(number(group, "totalOutputDataSizeBytes")).isGreaterThan(DOCUMENTS * 400L);
            assertThat(number(group, "nReturned")).isEqualTo(DOCUMENTS);

            RawDocument sort = stage(
                    run(connection, explain.formatted("{\"$unwind\": \"$k\"}, {\"$sort\": {\"k\": 1}}")), "$sort");
            assertThat(sort.get("usedDisk")).isEqualTo(Value.of(true));
            assertThat(number(sort, "spills")).isPositive();
            assertThat(number(sort, "spilledDataStorageSize")).isPositive();
            assertThat(number(sort, "totalDataSizeSortedBytesEstimate")).isGreaterThan(DOCUMENTS * 400L);

            String window = "{\"$setWindowFields\": {\"output\": {\"n\": {\"$sum\": \"$k\"}}}}";
            RawDocument windows = stage(run(connection, explain.formatted(window)), "$_internalSetWindowFields");
            assertThat(windows.get("usedDisk")).isEqualTo(Value.of(true));
            assertThat(number(windows, "maxTotalMemoryUsageBytes")).isPositive();

            RawDocument small = stage(
                    run(connection, explain.formatted("{\"$group\": {\"_id\": {\"$mod\": [\"$k\", 7]}}}")), "$group");
            assertThat(small.get("usedDisk")).isEqualTo(Value.of(false));
            assertThat(number(small, "spills")).isZero();
            assertThat(number(small, "nReturned")).isEqualTo(7);
            assertThat(figure(connection, "bytes")).isZero();
        }
    }

    /** A sort holds the fields that later stages read: of 5 MB a few hundred KB. */
    @Test
    void sortsHoldWhatIsReadOfTheirResults() throws Exception {
        try (Server server = start(directory);
                LocalConnection connection = server.connectAsClient()) {
            insert(connection);
            String explain = "{\"explain\": {\"aggregate\": \"c\", \"cursor\": {}, \"pipeline\": ["
                    + "{\"$match\": {\"k\": {\"$lt\": 4000}}}, %s{\"$sort\": {\"k\": 1}},"
                    + " {\"$group\": {\"_id\": null, \"n\": {\"$sum\": 1}, \"first\": {\"$first\": %s}}}]},"
                    + " \"verbosity\": \"executionStats\", \"$db\": \"db\"}";
            String unwind = "{\"$unwind\": \"$k\"}, ";
            assertThat(run(connection, explain.formatted("", "\"$_id\"")).toString())
                    .doesNotContain("\"usedDisk\": true");
            assertThat(run(connection, explain.formatted(unwind, "\"$_id\"")).toString())
                    .doesNotContain("\"usedDisk\": true");
            assertThat(run(connection, explain.formatted("", "\"$$ROOT\"")).toString())
                    .contains("\"usedDisk\": true");
            assertThat(run(connection, explain.formatted(unwind, "\"$$ROOT\"")).toString())
                    .contains("\"usedDisk\": true");
        }
    }

    private static RawDocument stage(RawDocument explanation, String name) {
        if (explanation.get("stages") instanceof Value.Array(RawDocument stages)) {
            for (var each : stages) {
                if (each.value() instanceof Value.Doc(RawDocument stage) && stage.has(name)) {
                    return stage;
                }
            }
        }
        throw new AssertionError(name + " is not in " + explanation);
    }

    private static long number(RawDocument in, String field) {
        return in.get(field) instanceof Value.Int64(long number) ? number : -1;
    }

    @Test
    void theDefaultCanBeNotToUseTheDisk() throws Exception {
        try (Server server = start(directory, "allowDiskUseByDefault", "false");
                LocalConnection connection = server.connectAsClient()) {
            insert(connection);
            String find = "{\"find\": \"c\", \"sort\": {\"k\": 1}, \"$db\": \"db\"";
            assertThat(run(connection, find + "}").get("code")).isEqualTo(Value.of(292));
            assertThat(all(connection, run(connection, find + ", \"allowDiskUse\": true}")))
                    .hasSize(DOCUMENTS);
        }
    }

    @Test
    void filesHaveALimit() throws Exception {
        try (Server server = start(directory, "temporaryFileBytesMax", "100000");
                LocalConnection connection = server.connectAsClient()) {
            insert(connection);
            RawDocument refused = run(connection, "{\"find\": \"c\", \"sort\": {\"k\": 1}, \"$db\": \"db\"}");
            assertThat(refused.get("code")).as(refused.toString()).isEqualTo(Value.of(14031));
            assertThat(String.valueOf(refused.get("errmsg"))).contains("temporaryFileBytesMax");
            assertThat(figure(connection, "bytes")).isZero();
            run(connection, "{\"setParameter\": 1, \"temporaryFileBytesMax\": 100000000, \"$db\": \"admin\"}");
            assertThat(all(connection, run(connection, "{\"find\": \"c\", \"sort\": {\"k\": 1}, \"$db\": \"db\"}")))
                    .hasSize(DOCUMENTS);
        }
    }

    @Test
    void whatACrashHasLeftIsDeleted() throws Exception {
        start(directory).close();
        Files.createDirectories(directory.resolve("_tmp"));
        Files.writeString(directory.resolve("_tmp").resolve("3"), "left");
        try (Server server = start(directory);
                LocalConnection connection = server.connectAsClient()) {
            assertThat(directory.resolve("_tmp")).doesNotExist();
            assertThat(figure(connection, "bytes")).isZero();
        }
    }
}
