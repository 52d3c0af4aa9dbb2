package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoInterruptedException;
import dev.semel.driver.error.MongoServerException;
import dev.semel.driver.error.MongoSocketException;
import dev.semel.driver.error.MongoWriteConcernException;
import dev.semel.driver.error.MongoWriteException;
import dev.semel.driver.event.ClusterEvent;
import dev.semel.driver.event.RetryEvent;
import dev.semel.driver.event.RetryEvent.Decision;
import dev.semel.driver.event.RetryListener;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.WriteConcern;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.BsonReader;
import org.bson.BsonTimestamp;
import org.bson.BsonWriter;
import org.bson.Document;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistries;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What no real server can be made to do on demand: the tests write both sides. */
class RetryScriptTest {
    private static final Document ONE = new Document("_id", 1);
    private static final String DONE = "{ok: 1, n: 1}";
    private static final String SHUTDOWN =
            "{ok: 0, code: 91, errmsg: 'shutting down', errorLabels: ['RetryableWriteError']}";
    private static final String FOUND = "{ok: 1, cursor: {id: {$numberLong: '0'}, ns: 'db.c', firstBatch: [{_id: 1}]}}";

    private RecordingServer server;

    @BeforeEach
    void start() throws IOException {
        server = RecordingServer.primary();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static MongoClient open(String uri) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .build());
    }

    private static MongoCollection<Document> collection(MongoClient client) {
        return client.getDatabase("db").getCollection("c");
    }

    @Test
    void retryCarriesTheNewestClusterTime() {
        var time = new AtomicInteger();
        server.answer((command, count) -> {
            String clock = "$clusterTime: {clusterTime: {$timestamp: {t: " + (100 + time.incrementAndGet())
                    + ", i: 1}}, signature: {hash: {$binary: {base64: '', subType: '00'}}, keyId: 0}}";
            return count == 0 ? SHUTDOWN.replace("ok: 0", "ok: 0, " + clock) : DONE.replace("ok: 1", "ok: 1, " + clock);
        });
        try (var client = open(server.uri())) {
            collection(client).insertOne(ONE);
        }
        List<BsonDocument> inserts = server.commands("insert");
        assertThat(inserts).hasSize(2);
        assertThat(inserts.get(0).containsKey("$clusterTime")).isFalse();
        assertThat(inserts.get(1).getDocument("$clusterTime").get("clusterTime"))
                .as("the first reply brought it, so the same bytes were not sent again")
                .isEqualTo(new BsonTimestamp(101, 1));
    }

    @Test
    void causalReadIsSentAgainWithTheNewestOperationTime() {
        server.answer((command, count) -> switch (count) {
            case 0 -> FOUND.replace("ok: 1", "ok: 1, operationTime: {$timestamp: {t: 5, i: 1}}");
            case 1 -> "{ok: 0, code: 91, errmsg: 'x', operationTime: {$timestamp: {t: 6, i: 1}}}";
            default -> FOUND;
        });
        try (var client = open(server.uri());
                var session = client.startSession()) {
            collection(client).find(session).first();
            collection(client).find(session).first();
        }
        List<BsonDocument> finds = server.commands("find");
        assertThat(finds.get(0).containsKey("readConcern")).isFalse();
        assertThat(finds.get(1).getDocument("readConcern").get("afterClusterTime"))
                .isEqualTo(new BsonTimestamp(5, 1));
        assertThat(finds.get(2).getDocument("readConcern").get("afterClusterTime"))
                .isEqualTo(new BsonTimestamp(6, 1));
    }

    @Test
    void unacknowledgedWriteUsesNoSession() {
        try (var client = open(server.uri())) {
            collection(client).withWriteConcern(WriteConcern.UNACKNOWLEDGED).insertOne(ONE);
            server.awaitCommands("insert", 1);
        }
        assertThat(server.commands("endSessions")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"insert", "find"})
    void interruptionOfTheSearchForServerIsRaisedAlsoBeforeRetry(String command) {
        server.answer((heard, count) -> {
            server.close();
            return null;
        });
        try (var client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.uri()))
                .addRetryListener(new RetryListener() {
                    @Override
                    public void attemptEnded(RetryEvent event) {
                        Thread.currentThread().interrupt();
                    }
                })
                .build())) {
            var failure = catchThrowableOfType(MongoInterruptedException.class, () -> {
                if (command.equals("insert")) {
                    collection(client).insertOne(ONE);
                } else {
                    collection(client).find().first();
                }
            });
            assertThat(Thread.interrupted()).isTrue();
            assertThat(failure).hasMessage("Interrupted while waiting for a server");
            assertThat(failure.getSuppressed()).singleElement().isInstanceOf(MongoSocketException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"insert", "find"})
    void firstFailureIsRaisedWhereTheRetryFindsNoServer(String command) {
        server.answer((heard, count) -> {
            server.close();
            return null;
        });
        var decisions = new CopyOnWriteArrayList<Decision>();
        try (var client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.uri() + "&serverSelectionTimeoutMS=300"))
                .addRetryListener(new RetryListener() {
                    @Override
                    public void attemptEnded(RetryEvent event) {
                        decisions.add(event.decision());
                    }
                })
                .build())) {
            var failure = catchThrowableOfType(MongoSocketException.class, () -> {
                if (command.equals("insert")) {
                    collection(client).insertOne(ONE);
                } else {
                    collection(client).find().first();
                }
            });
            assertThat(failure.getServerAddress()).isEqualTo(server.address());
            assertThat(server.commands(command)).hasSize(1);
            assertThat(decisions).containsExactly(Decision.RETRIED, Decision.NO_SERVER);
        }
    }

    @Test
    void firstFailureIsRaisedWhereTheRetryFindsServerThatKeepsNoNumbers() {
        server.answer((command, count) -> {
            server.greet(RecordingServer.member(server, "isWritablePrimary: true", server)
                    .replace("logicalSessionTimeoutMinutes: 30, ", ""));
            return null;
        });
        try (var client = open(server.uri())) {
            assertThatExceptionOfType(MongoSocketException.class)
                    .isThrownBy(() -> collection(client).insertOne(ONE));
        }
        assertThat(server.commands("insert")).hasSize(1);
    }

    @Test
    void firstFailureIsRaisedWhereTheCommandCannotBeWrittenAgain() {
        server.answer((command, count) -> null);
        var once = new OnceCodec();
        try (var client = open(server.uri())) {
            var strings = collection(client)
                    .withCodecRegistry(CodecRegistries.fromRegistries(
                            CodecRegistries.fromCodecs(once), MongoClientSettings.getDefaultCodecRegistry()));
            assertThatExceptionOfType(MongoSocketException.class)
                    .isThrownBy(
                            () -> strings.find(new Document("a", new Once())).first())
                    .satisfies(
                            e -> assertThat(e.getSuppressed()).hasAtLeastOneElementOfType(IllegalStateException.class));
        }
        assertThat(server.commands("find")).hasSize(1);
    }

    private static final class Once {}

    private static final class OnceCodec implements Codec<Once> {
        private final AtomicInteger count = new AtomicInteger();

        @Override
        public void encode(BsonWriter writer, Once value, EncoderContext context) {
            if (count.incrementAndGet() > 1) {
                throw new IllegalStateException("cannot be written twice");
            }
            writer.writeInt32(1);
        }

        @Override
        public Once decode(BsonReader reader, DecoderContext context) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Class<Once> getEncoderClass() {
            return Once.class;
        }
    }

    @Test
    void errorOfSingleStatementIsNeverRetried() {
        // A shard of a mixed cluster reports there that it cannot repeat writes.
        server.answer(
                (command, count) -> "{ok: 1, n: 0, writeErrors: [{index: 0, code: 91, errmsg: 'shutting down'}]}");
        try (var client = open(server.uri())) {
            assertThatExceptionOfType(MongoWriteException.class)
                    .isThrownBy(() -> collection(client).insertOne(ONE))
                    .satisfies(e -> assertThat(e.getCode()).isEqualTo(91));
        }
        assertThat(server.commands("insert")).hasSize(1);
    }

    @Test
    void standaloneGetsNoNumberAndNoRetry() {
        server.greet(RecordingServer.common("isWritablePrimary: true, logicalSessionTimeoutMinutes: 30"));
        server.answer((command, count) -> null);
        try (var client = open(server.uri())) {
            assertThatExceptionOfType(MongoSocketException.class)
                    .isThrownBy(() -> collection(client).insertOne(ONE))
                    .satisfies(e ->
                            assertThat(e.hasErrorLabel("RetryableWriteError")).isFalse());
        }
        assertThat(server.commands("insert"))
                .singleElement()
                .satisfies(each -> assertThat(each.containsKey("txnNumber")).isFalse());
    }

    /** SESSP-18, SESSP-19. */
    @Test
    void serverWithoutSessionsGetsNone() {
        server.greet(RecordingServer.common("isWritablePrimary: true"));
        server.answer((command, count) -> command.containsKey("find") ? FOUND : DONE);
        try (var client = open(server.uri());
                var session = client.startSession()) {
            collection(client).insertOne(ONE);
            collection(client).find().first();
            assertThatExceptionOfType(MongoException.class)
                    .isThrownBy(() -> collection(client).insertOne(session, ONE));
            assertThatExceptionOfType(MongoException.class)
                    .isThrownBy(() -> collection(client).find(session).first());
        }
        assertThat(server.heard()).hasSize(2).noneMatch(each -> each.command().containsKey("lsid"));
    }

    /** RWP-1. */
    @Test
    void refusalOfTransactionNumbersIsExplained() {
        server.answer((command, count) ->
                "{ok: 0, code: 20, errmsg: 'Transaction numbers are only allowed on a replica set'}");
        try (var client = open(server.uri())) {
            var failure = catchThrowableOfType(
                    MongoCommandException.class, () -> collection(client).insertOne(ONE));
            assertThat(failure.getCode()).isEqualTo(20);
            assertThat(failure.getMessage()).contains("retryWrites=false");
        }
    }

    @Test
    void errorOfOldServerIsRetriedByItsCode() {
        server.greet(RecordingServer.member(server, "isWritablePrimary: true", server)
                .replace("maxWireVersion: 25", "maxWireVersion: 8"));
        server.answer((command, count) -> switch (count) {
            case 0 -> "{ok: 0, code: 262, errmsg: 'too slow'}";
            case 1 -> DONE;
            case 2 -> "{ok: 1, n: 1, writeConcernError: {code: 91, errmsg: 'x'}}";
            case 3 -> DONE;
            default -> "{ok: 1, n: 0, writeErrors: [{index: 0, code: 91, errmsg: 'x'}]}";
        });
        try (var client = open(server.uri())) {
            collection(client).insertOne(ONE);
            assertThat(server.commands("insert")).hasSize(2);
            collection(client).insertOne(ONE);
            assertThat(server.commands("insert")).hasSize(4);
            assertThatExceptionOfType(MongoWriteException.class)
                    .isThrownBy(() -> collection(client).insertOne(ONE));
            assertThat(server.commands("insert")).hasSize(5);
        }
    }

    /** A router has repeated the write itself where its write concern failed. */
    @Test
    void writeConcernErrorOfOldRouterIsNeitherLabelledNorRetried() throws IOException {
        try (var router = RecordingServer.router()) {
            router.greet(
                    RecordingServer.common("msg: 'isdbgrid', logicalSessionTimeoutMinutes: 30, isWritablePrimary: true")
                            .replace("maxWireVersion: 25", "maxWireVersion: 8"));
            router.answer((command, count) -> "{ok: 1, n: 1, writeConcernError: {code: 91, errmsg: 'x'}}");
            try (var client = open(router.uri())) {
                assertThatExceptionOfType(MongoWriteConcernException.class)
                        .isThrownBy(() -> collection(client).insertOne(ONE))
                        .satisfies(e -> assertThat(e.getErrorLabels()).isEmpty());
            }
            assertThat(router.commands("insert")).hasSize(1);
        }
    }

    @Test
    void newServersLabelThemselves() {
        server.answer((command, count) -> "{ok: 0, code: 91, errmsg: 'x'}");
        try (var client = open(server.uri())) {
            var failure = catchThrowableOfType(
                    MongoCommandException.class, () -> collection(client).insertOne(ONE));
            assertThat(failure.getErrorLabels()).isEmpty();
        }
        assertThat(server.commands("insert")).hasSize(1);
    }

    @Test
    void everyAttemptHasMessageNumberOfItsOwn() {
        server.answer((command, count) -> count == 0 ? SHUTDOWN : DONE);
        try (var client = open(server.uri())) {
            collection(client).insertOne(ONE);
        }
        assertThat(server.heard().stream()
                        .filter(each -> each.command().containsKey("insert"))
                        .map(RecordingServer.Heard::requestId))
                .doesNotHaveDuplicates()
                .hasSize(2);
    }

    @Test
    void failedAttemptMarksTheServerUnknownBeforeTheNext() {
        var unknown = new CopyOnWriteArrayList<ClusterEvent>();
        server.answer((command, count) -> count < 2 ? SHUTDOWN : DONE);
        try (var client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.uri()))
                .applyToClusterSettings(cluster -> cluster.addClusterListener(event -> {
                    if (event instanceof ClusterEvent.ServerDescriptionChanged changed
                            && !changed.current().type().isDataBearing()) {
                        unknown.add(event);
                    }
                }))
                .build())) {
            assertThatExceptionOfType(MongoServerException.class)
                    .isThrownBy(() -> collection(client).insertOne(ONE));
            assertThat(unknown).as("once for each attempt").hasSize(2);
        }
    }

    @Test
    void errorMadeByTheDriverIsRaisedAsItIs() {
        try (var client = open(server.uri())) {
            assertThatExceptionOfType(RuntimeException.class)
                    .isThrownBy(() -> collection(client)
                            .find(new Document("a", new Once()))
                            .first())
                    .isNotInstanceOf(MongoException.class);
        }
        assertThat(server.commands("find")).isEmpty();
    }
}
