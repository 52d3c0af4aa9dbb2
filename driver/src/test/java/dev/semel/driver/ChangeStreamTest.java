package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.error.MongoException;
import dev.semel.driver.event.ClusterEvent;
import dev.semel.driver.model.changestream.FullDocumentBeforeChange;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.ReadPreference;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Change streams by the ids of the prose tests: what is remembered, and how a stream that broke off goes on. */
class ChangeStreamTest {
    private static final String LOST =
            "{ok: 0, code: 189, errmsg: 'stepped down', errorLabels: ['ResumableChangeStreamError']}";

    private RecordingServer server;

    @BeforeEach
    void start() throws IOException {
        server = RecordingServer.primary();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String batch(String kind, @Nullable String token, int... ids) {
        var changes = new BsonArray();
        for (int id : ids) {
            changes.add(new BsonDocument("_id", new BsonDocument("t", new BsonInt32(id))));
        }
        return "{ok: 1, cursor: {id: {$numberLong: '7'}, ns: 'db.c', " + kind + "Batch: "
                + new Document("b", changes).toBsonDocument().getArray("b").getValues()
                + (token == null ? "" : ", postBatchResumeToken: {t: " + token + "}") + "}}";
    }

    private static String first(@Nullable String token, int... ids) {
        return batch("first", token, ids);
    }

    private static String next(@Nullable String token, int... ids) {
        return batch("next", token, ids);
    }

    private static BsonDocument token(int id) {
        return new BsonDocument("t", new BsonInt32(id));
    }

    /** The answers to aggregate and getMore, one after the other. */
    private void answer(@Nullable String... answers) {
        Deque<String> left = new ArrayDeque<>(
                Arrays.stream(answers).map(each -> each == null ? "" : each).toList());
        server.answer((command, count) -> {
            if (command.containsKey("killCursors")) {
                return "{ok: 0, code: 8, errmsg: 'no'}";
            }
            String answer = left.remove();
            return answer.isEmpty() ? null : answer;
        });
    }

    private MongoClient open() {
        return MongoClients.create(new ConnectionString(server.uri() + "&retryReads=false&heartbeatFrequencyMS=500"));
    }

    private static ChangeStreamIterable<Document> watch(MongoClient client) {
        return client.getDatabase("db")
                .getCollection("c")
                .watch(List.of(new Document("$match", new Document("x", 1))))
                .batchSize(9);
    }

    private List<BsonDocument> openings() {
        return server.commands("aggregate").stream()
                .map(each -> each.getArray("pipeline").get(0).asDocument().getDocument("$changeStream"))
                .toList();
    }

    /** CSP-1, CSP-11, CSP-13: within a batch that of the change, at its end that of the batch. */
    @Test
    void newestTokenIsKept() {
        answer(first("1", 2, 3), next("9"), next(null, 10), next("12"));
        try (var client = open();
                var stream = watch(client).cursor()) {
            stream.next();
            assertThat(stream.getResumeToken()).isEqualTo(token(2));
            stream.next();
            assertThat(stream.getResumeToken()).isEqualTo(token(1));
            assertThat(stream.tryNext()).isNull();
            assertThat(stream.getResumeToken()).isEqualTo(token(9));
            stream.next();
            assertThat(stream.getResumeToken()).isEqualTo(token(10));
            assertThat(stream.tryNext()).isNull();
            assertThat(stream.getResumeToken()).isEqualTo(token(12));
        }
    }

    /** CSP-2. */
    @Test
    void pipelineThatRemovesTheTokenIsRefused() throws IOException {
        try (var real = TestServer.start();
                var client = real.connect("", settings -> {})) {
            var collection = client.getDatabase("db").getCollection("c");
            collection.insertOne(new Document());
            try (var stream = collection
                    .watch(List.of(new Document("$project", new Document("_id", 0))))
                    .cursor()) {
                collection.insertOne(new Document());
                assertThatThrownBy(stream::next)
                        .isInstanceOfSatisfying(
                                MongoException.class,
                                e -> assertThat(e.getCode()).isIn(280, -3, 0))
                        .hasMessageContaining("_id");
            }
        }
    }

    /** CSP-3, CSP-8: the cursor that was lost cannot be killed, and the error is ignored. */
    @ParameterizedTest
    @ValueSource(strings = {LOST, "", "{ok: 0, code: 43, errmsg: 'cursor not found'}"})
    void streamGoesOnOnceBehindTheLastChange(String failure) {
        answer(first(null, 2), failure.isEmpty() ? null : failure, first(null, 3));
        try (var client = open();
                var stream = watch(client).maxAwaitTime(Duration.ofMillis(50)).cursor()) {
            stream.next();
            assertThat(stream.next().getResumeToken()).isEqualTo(token(3));
        }
        var commands = server.commands("aggregate");
        assertThat(commands).hasSize(2);
        assertThat(openings().get(1)).isEqualTo(new BsonDocument("resumeAfter", token(2)));
        assertThat(commands.get(1).getArray("pipeline").get(1))
                .isEqualTo(commands.get(0).getArray("pipeline").get(1));
        assertThat(commands.get(1).get("cursor")).isEqualTo(commands.get(0).get("cursor"));
    }

    /** CSP-4. */
    @Test
    void failureToOpenIsNoReasonToResume() {
        answer(LOST);
        try (var client = open()) {
            assertThatThrownBy(() -> watch(client).cursor()).isInstanceOf(MongoException.class);
        }
        assertThat(server.commands("aggregate")).hasSize(1);
    }

    /** CSP-6. */
    @Test
    void streamGoesOnWhereItsReadPreferenceSays() throws IOException {
        try (var secondary = new RecordingServer();
                var primary = new RecordingServer()) {
            primary.greet(RecordingServer.member(primary, "isWritablePrimary: true", primary, secondary));
            secondary.greet(
                    RecordingServer.member(secondary, "isWritablePrimary: false, secondary: true", primary, secondary));
            secondary.answer((command, count) -> switch (count) {
                case 0 -> first(null, 2);
                case 1 -> "{ok: 0, code: 43, errmsg: 'cursor not found'}";
                default -> first(null, 3);
            });
            try (var client = MongoClients.create(primary.uri());
                    var stream = client.getDatabase("db")
                            .getCollection("c")
                            .withReadPreference(ReadPreference.secondary())
                            .watch()
                            .cursor()) {
                stream.next();
                stream.next();
            }
            assertThat(secondary.commands("aggregate")).hasSize(2);
            assertThat(primary.commands("aggregate")).isEmpty();
        }
    }

    /** The pool of its member is closed then. */
    @Test
    void streamGoesOnElsewhereAfterItsMemberLeftTheSet() throws IOException, InterruptedException {
        try (var secondary = new RecordingServer();
                var primary = new RecordingServer()) {
            primary.greet(RecordingServer.member(primary, "isWritablePrimary: true", primary, secondary));
            secondary.greet(
                    RecordingServer.member(secondary, "isWritablePrimary: false, secondary: true", primary, secondary));
            secondary.answer((command, count) -> first(null, 2));
            primary.answer((command, count) -> first(null, 3));
            var hasLeft = new CountDownLatch(1);
            try (var client = MongoClients.create(MongoClientSettings.builder()
                    .applyConnectionString(
                            new ConnectionString(primary.uri() + "&retryReads=false&heartbeatFrequencyMS=500"))
                    .applyToClusterSettings(cluster -> cluster.addClusterListener(event -> {
                        if (event instanceof ClusterEvent.ServerClosed) {
                            hasLeft.countDown();
                        }
                    }))
                    .build())) {
                var database = client.getDatabase("db");
                database.runCommand(new Document("ping", 1), ReadPreference.secondary());
                var stream = database.getCollection("c")
                        .withReadPreference(ReadPreference.secondaryPreferred())
                        .watch()
                        .cursor();
                stream.next();
                primary.greet(RecordingServer.member(primary, "isWritablePrimary: true", primary));
                assertThat(hasLeft.await(30, TimeUnit.SECONDS)).isTrue();

                assertThat(stream.next().getResumeToken()).isEqualTo(token(3));
                stream.close();
            }
            assertThat(secondary.commands("aggregate")).hasSize(1);
            assertThat(primary.commands("aggregate")).hasSize(1);
        }
    }

    /** CSP-7. */
    @Test
    void emptyFirstBatchDoesNotEndTheStream() {
        answer(first("1"), next("2", 3));
        try (var client = open();
                var stream = watch(client).cursor()) {
            assertThat(stream.cursorId()).isEqualTo(7);
            assertThat(server.commands("killCursors")).isEmpty();
            assertThat(stream.next().getResumeToken()).isEqualTo(token(3));
        }
    }

    /** CSP-14. */
    @Test
    void beforeTheFirstChangeTheTokenIsThatToStartFrom() {
        answer(first(null, 5), first(null, 5), first(null, 5));
        try (var client = open();
                var after = watch(client).startAfter(token(1)).cursor();
                var resumed = watch(client).resumeAfter(token(2)).cursor();
                var plain = watch(client).cursor()) {
            assertThat(after.getResumeToken()).isEqualTo(token(1));
            assertThat(resumed.getResumeToken()).isEqualTo(token(2));
            assertThat(plain.getResumeToken()).isNull();
        }
    }

    /** CSP-17, CSP-18. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void startAfterHoldsUntilTheFirstChange(boolean hasReturned) {
        answer(hasReturned ? first(null, 5) : first(null), LOST, first(null, 6));
        try (var client = open();
                var stream = watch(client).startAfter(token(1)).cursor()) {
            stream.next();
            if (hasReturned) {
                stream.next();
            }
        }
        assertThat(openings().get(1))
                .isEqualTo(
                        hasReturned
                                ? new BsonDocument("resumeAfter", token(5))
                                : new BsonDocument("startAfter", token(1)));
    }

    /** CSP-19. */
    @Test
    void largeChangeComesInFragments() throws IOException {
        try (var real = TestServer.start();
                var client = real.connect("", settings -> {})) {
            var database = client.getDatabase("db");
            database.runCommand(new Document("create", "large")
                    .append("changeStreamPreAndPostImages", new Document("enabled", true)));
            var collection = database.getCollection("large");
            collection.insertOne(new Document("_id", 1).append("value", "q".repeat(10 * 1024 * 1024)));
            try (var stream = collection
                    .watch(List.of(new Document("$changeStreamSplitLargeEvent", new Document())))
                    .fullDocumentBeforeChange(FullDocumentBeforeChange.REQUIRED)
                    .withDocumentClass(Document.class)
                    .cursor()) {
                collection.updateOne(
                        new Document("_id", 1),
                        new Document("$set", new Document("value", "z".repeat(10 * 1024 * 1024))));
                assertThat(stream.next().get("splitEvent")).isEqualTo(new Document("fragment", 1).append("of", 2));
                assertThat(stream.next().get("splitEvent")).isEqualTo(new Document("fragment", 2).append("of", 2));
            }
        }
    }
}
