package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoSocketException;
import dev.semel.driver.event.CommandFailedEvent;
import dev.semel.driver.event.CommandListener;
import dev.semel.driver.event.CommandStartedEvent;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which reads are sent again, and how, against a real server that fails on demand. */
class RetryableReadsTest {
    private static final String CUT = "closeConnection: true";

    private static TestServer server;
    private final List<CommandStartedEvent> started = new CopyOnWriteArrayList<>();
    private Runnable afterFailure = () -> {};
    private MongoClient client;
    private MongoCollection<Document> collection;

    @BeforeAll
    static void startServer() throws Exception {
        server = TestServer.start();
        server.admin()
                .getDatabase("db")
                .getCollection("reads")
                .insertMany(IntStream.range(0, 10)
                        .mapToObj(each -> new Document("_id", each))
                        .toList());
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void connect() {
        connect("");
    }

    private void connect(String options) {
        if (client != null) {
            client.close();
        }
        client = server.connect(
                options,
                settings -> settings.addCommandListener(TestServer.recorder(started))
                        .addCommandListener(new CommandListener() {
                            @Override
                            public void commandFailed(CommandFailedEvent event) {
                                afterFailure.run();
                            }
                        }));
        collection = client.getDatabase("db").getCollection("reads");
        client.getDatabase("admin").runCommand(new Document("ping", 1));
        started.clear();
    }

    @AfterEach
    void disconnect() {
        server.clearFailPoint();
        client.close();
    }

    private Map<String, Consumer<MongoClient>> reads() {
        var all = new LinkedHashMap<String, Consumer<MongoClient>>();
        all.put("find", c -> collection.find().into(new java.util.ArrayList<>()));
        all.put("find first", c -> collection.find().first());
        all.put("aggregate", c -> collection.aggregate(List.of()).first());
        all.put("aggregate countDocuments", c -> collection.countDocuments());
        all.put("count", c -> collection.estimatedDocumentCount());
        all.put("distinct", c -> collection.distinct("_id", Integer.class).first());
        all.put("listDatabases", c -> c.listDatabases().first());
        all.put("listDatabases names", c -> c.listDatabaseNames().first());
        all.put("listCollections", c -> c.getDatabase("db").listCollections().first());
        all.put(
                "listCollections names",
                c -> c.getDatabase("db").listCollectionNames().first());
        all.put("listIndexes", c -> collection.listIndexes().first());
        all.put("aggregate watch", c -> collection.watch().cursor().close());
        all.put(
                "aggregate watch database",
                c -> c.getDatabase("db").watch().cursor().close());
        all.put("aggregate watch client", c -> c.watch().cursor().close());
        return all;
    }

    static Stream<String> retryableReads() {
        return new RetryableReadsTest().reads().keySet().stream();
    }

    private void read(String name) {
        Objects.requireNonNull(reads().get(name)).accept(client);
    }

    private static String command(String name) {
        return name.replaceAll(" .*", "");
    }

    private List<BsonDocument> sent(String command) {
        return started.stream()
                .filter(each -> each.commandName().equals(command))
                .map(CommandStartedEvent::command)
                .toList();
    }

    private static BsonDocument withoutClusterTime(BsonDocument command) {
        var rest = new BsonDocument();
        command.forEach((name, value) -> {
            if (!name.equals("$clusterTime")) {
                rest.append(name, value);
            }
        });
        return rest;
    }

    @ParameterizedTest
    @MethodSource("retryableReads")
    void readIsSentAgainOnceAndTheSame(String name) {
        server.failCommand("{times: 1}", "{failCommands: ['" + command(name) + "'], " + CUT + "}");

        read(name);

        List<BsonDocument> sent = sent(command(name));
        assertThat(sent).hasSize(2);
        assertThat(withoutClusterTime(sent.get(1))).as("session included").isEqualTo(withoutClusterTime(sent.get(0)));
        assertThat(sent.get(0).containsKey("txnNumber")).isFalse();
    }

    @ParameterizedTest
    @MethodSource("retryableReads")
    void readFailsWithTheSecondFailure(String name) {
        String failing = "{failCommands: ['" + command(name) + "'], errorCode: ";
        afterFailure = () -> server.failCommand("{times: 1}", failing + "6}");
        server.failCommand("{times: 1}", failing + "7}");

        var failure = catchThrowableOfType(MongoCommandException.class, () -> read(name));

        assertThat(failure.getCode()).isEqualTo(6);
        assertThat(failure.getSuppressed())
                .singleElement()
                .isInstanceOfSatisfying(
                        MongoCommandException.class,
                        first -> assertThat(first.getCode()).isEqualTo(7));
        assertThat(sent(command(name))).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436})
    void codeIsRetryable(int code) {
        server.failCommand("{times: 1}", "{failCommands: ['find'], errorCode: " + code + "}");

        assertThat(collection.find().first()).isNotNull();
        assertThat(sent("find")).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 11601, 64, 50})
    void codeIsNotRetryable(int code) {
        server.failCommand("{times: 1}", "{failCommands: ['find'], errorCode: " + code + "}");

        assertThatExceptionOfType(MongoException.class)
                .isThrownBy(() -> collection.find().first());
        assertThat(sent("find")).hasSize(1);
    }

    /** An error, for a lost connection clears the pool of the one server that could be asked again. */
    @ParameterizedTest
    @ValueSource(strings = {CUT, "errorCode: 6"})
    void getMoreIsNotSentAgain(String failure) {
        try (var cursor = collection.find().batchSize(2).cursor()) {
            server.failCommand("{times: 1}", "{failCommands: ['getMore'], " + failure + "}");
            assertThatExceptionOfType(MongoException.class).isThrownBy(() -> {
                while (cursor.hasNext()) {
                    cursor.next();
                }
            });
        }
        assertThat(sent("getMore")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{find: 'reads'}", "{mapReduce: 'reads', map: 'm', reduce: 'r', out: {inline: 1}}"})
    void genericCommandIsNotSentAgain(String command) {
        String name = BsonDocument.parse(command).getFirstKey();
        server.failCommand("{times: 1}", "{failCommands: ['" + name + "'], " + CUT + "}");

        assertThatExceptionOfType(MongoException.class)
                .isThrownBy(() -> client.getDatabase("db").runCommand(BsonDocument.parse(command)));
        assertThat(sent(name)).hasSize(1);
    }

    @Test
    void withOptionOffThereIsOneAttempt() {
        connect("&retryReads=false");
        server.failCommand("{times: 1}", "{failCommands: ['find'], " + CUT + "}");

        assertThatExceptionOfType(MongoException.class)
                .isThrownBy(() -> collection.find().first());
        assertThat(sent("find")).hasSize(1);
    }

    @Test
    void readInTransactionIsNotSentAgain() {
        try (var session = client.startSession()) {
            session.startTransaction();
            server.failCommand("{times: 1}", "{failCommands: ['find'], " + CUT + "}");
            assertThatExceptionOfType(MongoException.class)
                    .isThrownBy(() -> collection.find(session).first());
        }
        assertThat(sent("find")).hasSize(1);
    }

    @Test
    void withTimeoutItIsTriedAsOftenAsThereIsTime() {
        server.failCommand("{times: 4}", "{failCommands: ['find'], errorCode: 91}");

        assertThat(collection.withTimeout(Duration.ofSeconds(20)).find().first())
                .isNotNull();
        assertThat(sent("find")).hasSize(5);
    }

    @Test
    void timeoutOfZeroIsNoLimitToRetries() {
        server.failCommand("{times: 4}", "{failCommands: ['find'], errorCode: 91}");

        assertThat(collection.withTimeout(Duration.ZERO).find().first()).isNotNull();
        assertThat(sent("find")).hasSize(5);
        assertThat(sent("find").get(0).containsKey("maxTimeMS")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hello", "saslStart"})
    void failureOfTheHandshakeIsRetried(String cut) throws IOException {
        try (var handshake = new HandshakeFault(cut, 1)) {
            assertThat(handshake
                            .client()
                            .getDatabase("db")
                            .getCollection("reads")
                            .find()
                            .first())
                    .isNotNull();
            assertThat(handshake.cut()).isEqualTo(1);
            assertThat(handshake.failures()).singleElement().isInstanceOf(MongoSocketException.class);
            assertThat(handshake.commands("find")).hasSize(1);
        }
    }

    /** CUR-11, and the option speaks for the handshake of a read as well. */
    @ParameterizedTest
    @ValueSource(strings = {"hello", "saslStart"})
    void failureOfTheHandshakeIsRaisedWithOptionOff(String cut) throws IOException {
        try (var handshake = new HandshakeFault(cut, 1, "&retryReads=false")) {
            assertThatExceptionOfType(MongoSocketException.class)
                    .isThrownBy(() -> handshake
                            .client()
                            .getDatabase("db")
                            .getCollection("reads")
                            .find()
                            .first());
            assertThat(handshake.cut()).isEqualTo(1);
            assertThat(handshake.commands("find")).isEmpty();
        }
    }

    @Test
    void resumeOfChangeStreamKeepsApartFromRetry() {
        // The aggregate that opens the stream is retried as a read, not resumed.
        server.failCommand("{times: 2}", "{failCommands: ['aggregate'], " + CUT + "}");
        assertThatExceptionOfType(MongoException.class)
                .isThrownBy(() -> collection.watch().cursor());
        assertThat(sent("aggregate")).hasSize(2);
    }
}
