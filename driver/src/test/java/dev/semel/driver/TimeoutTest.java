package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoOperationTimeoutException;
import dev.semel.driver.error.MongoWaitQueueTimeoutException;
import dev.semel.driver.event.CommandFailedEvent;
import dev.semel.driver.event.CommandListener;
import dev.semel.driver.event.ConnectionPoolEvent;
import dev.semel.driver.gridfs.GridFSBuckets;
import dev.semel.driver.model.ClientNamespacedWriteModel;
import dev.semel.driver.setting.ClientSessionOptions;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.MongoNamespace;
import dev.semel.driver.setting.TransactionOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One timeout for all that an operation does, by the ids of the prose tests. Where those let a server be slow, this one does
 * not answer at all, so that what was sent until then is always the same; tests fail by their own limit where nothing ends.
 */
@Timeout(30)
class TimeoutTest {
    private static final String DONE =
            "{ok: 1, n: 1, nInserted: 1, cursor: {id: {$numberLong: '0'}, ns: 'admin.$cmd.bulkWrite',"
                    + " firstBatch: []}}";
    private static final String OPEN = "{ok: 1, cursor: {id: {$numberLong: '7'}, ns: 'db.c', firstBatch: []}}";
    private static final String EMPTY = "{ok: 1, cursor: {id: {$numberLong: '7'}, ns: 'db.c', nextBatch: []}}";

    private final CountDownLatch end = new CountDownLatch(1);
    private final List<String> failed = new CopyOnWriteArrayList<>();
    private final List<ConnectionPoolEvent> pool = new CopyOnWriteArrayList<>();
    private RecordingServer server;

    @BeforeEach
    void start() throws IOException {
        server = new RecordingServer();
        // One document at a time, so that a few of them are several commands.
        server.greet("{ok: 1, helloOk: true, minWireVersion: 0, maxWireVersion: 25, maxBsonObjectSize: 16777216,"
                + " maxMessageSizeBytes: 48000000, maxWriteBatchSize: 1, setName: 'rs', hosts: ['" + server.address()
                + "'], me: '" + server.address() + "', isWritablePrimary: true, logicalSessionTimeoutMinutes: 30}");
    }

    @AfterEach
    void stop() {
        end.countDown();
        server.close();
    }

    /** Answers a command of this name that often and then no more. */
    private void stallAfter(int answered, String... commands) {
        var names = Set.of(commands);
        server.answer((command, count) -> {
            String name = command.getFirstKey();
            if (names.contains(name) && server.commands(name).size() > answered) {
                end.await();
            }
            return switch (name) {
                case "find", "aggregate" -> OPEN;
                case "getMore" -> EMPTY;
                default -> DONE;
            };
        });
    }

    /** With a server that is known already: finding it is no part of what is timed here. */
    private MongoClient open(String options) {
        var client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(
                        new ConnectionString(server.uri().replace("://", "://" + user(options)) + options))
                .applyToConnectionPoolSettings(pools -> pools.addConnectionPoolListener(pool::add))
                .addCommandListener(new CommandListener() {
                    @Override
                    public void commandFailed(CommandFailedEvent event) {
                        failed.add(event.commandName());
                    }
                })
                .build());
        Await.until(() -> client.getClusterDescription().servers().stream()
                .allMatch(each -> each.type().isWritable()));
        return client;
    }

    private static String user(String options) {
        return options.contains("authMechanism") ? "ann:word@" : "";
    }

    private static MongoCollection<Document> collection(MongoClient client) {
        return client.getDatabase("db").getCollection("c");
    }

    private static List<Document> documents(int count) {
        return IntStream.range(0, count)
                .mapToObj(each -> new Document("_id", each))
                .toList();
    }

    private static void timesOut(ThrowingCallable operation) {
        assertThatThrownBy(operation).isInstanceOf(MongoOperationTimeoutException.class);
    }

    /** CSOTP-1. */
    @Test
    void timeoutCoversAllCommandsOfInsertMany() {
        stallAfter(1, "insert");
        try (var client = open("&timeoutMS=300")) {
            timesOut(() -> collection(client).insertMany(documents(3)));
        }
        assertThat(server.awaitCommands("insert", 2)).hasSize(2);
    }

    /** CSOTP-11. */
    @Test
    void timeoutCoversAllCommandsOfBulkWriteOfTheClient() {
        stallAfter(1, "bulkWrite");
        var namespace = new MongoNamespace("db.c");
        try (var client = open("&timeoutMS=300")) {
            assertThatThrownBy(() -> client.bulkWrite(documents(3).stream()
                            .map(each -> ClientNamespacedWriteModel.insertOne(namespace, each))
                            .toList()))
                    .hasCauseInstanceOf(MongoOperationTimeoutException.class);
        }
        assertThat(server.awaitCommands("bulkWrite", 2)).hasSize(2);
    }

    /** CSOTP-4.1: no operation waits for it, yet a command of the handshake is limited by the timeout. */
    @Test
    void handshakeInTheBackgroundIsLimited() {
        stallAfter(0, "saslStart");
        try (var client = open("&minPoolSize=1&timeoutMS=50&authMechanism=SCRAM-SHA-1")) {
            Await.until(() -> pool.stream().anyMatch(ConnectionPoolEvent.ConnectionClosed.class::isInstance));
            assertThat(client.getClusterDescription().servers()).hasSize(1);
        }
        assertThat(pool).anyMatch(ConnectionPoolEvent.ConnectionCreated.class::isInstance);
        assertThat(pool).noneMatch(ConnectionPoolEvent.ConnectionReady.class::isInstance);
    }

    /** CSOTP-4.2: hello and authentication each take more than half of the timeout. */
    @Test
    void everyCommandOfHandshakeInTheBackgroundHasTheWholeTimeout() {
        var timesUp = new CountDownLatch(1);
        server.answer((command, count) -> {
            if (command.containsKey("saslStart")) {
                timesUp.await(400, TimeUnit.MILLISECONDS);
                return "{ok: 1, conversationId: 1, done: true, payload: {$binary: {base64: '', subType: '00'}}}";
            }
            return DONE;
        });
        String hello = RecordingServer.member(server, "isWritablePrimary: true", server);
        server.helloEach(connection -> {
            if (connection > 1) {
                // Not the monitor's.
                try {
                    timesUp.await(400, TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) {
                    return null;
                }
            }
            return hello;
        });
        try (var client = open("&minPoolSize=1&timeoutMS=700&authMechanism=PLAIN&authSource=$external")) {
            Await.until(() -> pool.stream().anyMatch(ConnectionPoolEvent.ConnectionReady.class::isInstance));
            assertThat(client.getClusterDescription().servers()).hasSize(1);
        }
        assertThat(pool.stream().filter(ConnectionPoolEvent.ConnectionCreated.class::isInstance))
                .hasSize(1);
    }

    /** CSOTP-5.1. */
    @Test
    void waitingForDocumentsOfTailableCursorTimesOut() {
        stallAfter(1, "getMore");
        try (var client = open("&timeoutMS=300");
                var cursor = collection(client)
                        .find()
                        .cursorType(CursorType.TAILABLE)
                        .cursor()) {
            timesOut(cursor::next);
            assertThat(server.awaitCommands("find", 1)).hasSize(1);
            assertThat(server.awaitCommands("getMore", 2)).hasSize(2);
        }
    }

    /** CSOTP-5.2. */
    @Test
    void waitingForChangesTimesOut() {
        stallAfter(1, "getMore");
        try (var client = open("&timeoutMS=300");
                var cursor = collection(client).watch().cursor()) {
            timesOut(cursor::next);
            assertThat(server.awaitCommands("aggregate", 1)).hasSize(1);
            assertThat(server.awaitCommands("getMore", 2)).hasSize(2);
        }
    }

    /** CSOTP-6.1, CSOTP-6.2. */
    @ParameterizedTest
    @CsvSource({"insert, false", "delete, true"})
    void endOfAnUploadTimesOut(String command, boolean isAborted) throws IOException {
        try (var real = TestServer.start();
                var admin = real.connect("", settings -> {});
                var client = real.connect("&timeoutMS=1000", settings -> {})) {
            GridFSBuckets.create(admin.getDatabase("db"))
                    .openUploadStream("indexes")
                    .close();
            var upload = GridFSBuckets.create(client.getDatabase("db")).openUploadStream("file");
            upload.write(1);
            real.failCommand(
                    "{times: 1}", "{failCommands: ['" + command + "'], blockConnection: true, blockTimeMS: 3000}");
            timesOut(isAborted ? upload::abort : upload::close);
            real.clearFailPoint();
        }
    }

    /** CSOTP-7. */
    @Test
    void downloadTimesOutOnItsChunks() {
        server.answer((command, count) -> {
            if (!command.containsKey("find")) {
                return DONE;
            }
            if (command.getString("find").getValue().equals("fs.chunks")) {
                end.await();
            }
            return "{ok: 1, cursor: {id: {$numberLong: '0'}, ns: 'db.fs.files', firstBatch: [{_id: {$oid:"
                    + " '000000000000000000000005'}, length: {$numberLong: '10'}, chunkSize: 4, uploadDate: {$date: 0},"
                    + " filename: 'f'}]}}";
        });
        try (var client = open("&timeoutMS=300");
                var download = GridFSBuckets.create(client.getDatabase("db"))
                        .openDownloadStream(new ObjectId("000000000000000000000005"))) {
            timesOut(download::read);
        }
        assertThat(server.awaitCommands("find", 2)).hasSize(2);
    }

    /** CSOTP-8.5, CSOTP-8.6: whichever is shorter limits the handshake of an operation, too. */
    @ParameterizedTest
    @ValueSource(
            strings = {"&timeoutMS=100&serverSelectionTimeoutMS=20000", "&timeoutMS=20000&serverSelectionTimeoutMS=100"
            })
    void shorterTimeoutEndsTheHandshake(String options) {
        stallAfter(0, "saslStart");
        try (var client = open("&connectTimeoutMS=20000&authMechanism=SCRAM-SHA-1" + options)) {
            Await.until(() -> client.getClusterDescription()
                    .servers()
                    .iterator()
                    .next()
                    .type()
                    .isWritable());
            long start = System.nanoTime();
            assertThatThrownBy(() -> collection(client).insertOne(new Document()))
                    .isInstanceOf(MongoException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
        }
    }

    /** CSOTP-9. */
    @ParameterizedTest
    @ValueSource(strings = {"client", "session", "transaction"})
    void endOfSessionDoesNotWaitForItsAbort(String by) {
        stallAfter(0, "abortTransaction");
        Duration limit = Duration.ofMillis(150);
        try (var client = open(by.equals("client") ? "&timeoutMS=150" : "")) {
            var session = client.startSession(
                    by.equals("session")
                            ? ClientSessionOptions.DEFAULT.withDefaultTimeout(limit)
                            : ClientSessionOptions.DEFAULT);
            session.startTransaction(
                    by.equals("transaction")
                            ? new TransactionOptions(null, null, null, null, limit)
                            : TransactionOptions.DEFAULT);
            collection(client).insertOne(session, new Document());
            session.close();
        }
        assertThat(failed).containsExactly("abortTransaction");
    }

    /** CSOTP-10. */
    @Test
    void abortAfterFailedBodyHasTimeOfItsOwn() {
        stallAfter(0, "insert", "abortTransaction");
        try (var client = open("&timeoutMS=300");
                var session = client.startSession()) {
            timesOut(() -> session.withTransaction(() -> collection(client).insertOne(session, new Document())));
        }
        assertThat(server.awaitCommands("insert", 1)).hasSize(1);
        assertThat(server.awaitCommands("abortTransaction", 1)).hasSize(1);
        assertThat(failed).containsExactly("insert", "abortTransaction");
    }

    /** CSOTP-U1, CSOTP-U2, CSOTP-U3: who waits for the only connection. */
    @ParameterizedTest
    @CsvSource({
        "'&waitQueueTimeoutMS=1', false",
        "'&waitQueueTimeoutMS=20000&timeoutMS=300', true",
        "'&waitQueueTimeoutMS=1&timeoutMS=300', true"
    })
    void waitForConnectionEndsByTheTimeoutOfTheOperationWhereThereIsOne(String options, boolean isOfOperation)
            throws InterruptedException {
        stallAfter(0, "update");
        try (var client = open("&maxPoolSize=1" + options)) {
            Thread first = Thread.ofVirtual().start(() -> {
                try {
                    collection(client)
                            .withTimeout(Duration.ZERO)
                            .updateOne(new Document(), new Document("$set", new Document("a", 1)));
                } catch (MongoException e) {
                    // When the server is closed.
                }
            });
            Await.until(() -> !server.commands("update").isEmpty());
            long start = System.nanoTime();
            assertThatThrownBy(() -> collection(client).insertOne(new Document()))
                    .isInstanceOf(
                            isOfOperation
                                    ? MongoOperationTimeoutException.class
                                    : MongoWaitQueueTimeoutException.class);
            if (isOfOperation) {
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(250));
            }
            assertThat(server.commands("insert")).isEmpty();
            end.countDown();
            first.join();
        }
    }

    /** CSOTP-U4, CSOTP-U6: nobody answers on the socket, and through a load balancer nobody else looks at it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "connectTimeoutMS=100&timeoutMS=20000",
                "connectTimeoutMS=20000&timeoutMS=100",
                "connectTimeoutMS=20000&timeoutMS=20000&serverSelectionTimeoutMS=100",
                "connectTimeoutMS=100&timeoutMS=20000&minPoolSize=1"
            })
    void socketIsSetUpInTheShorterTime(String options) throws IOException {
        try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            var settings = MongoClientSettings.builder()
                    .applyConnectionString(new ConnectionString(
                            "mongodb://127.0.0.1:" + silent.getLocalPort() + "/?loadBalanced=true&tls=true&" + options))
                    .applyToConnectionPoolSettings(pools -> pools.addConnectionPoolListener(pool::add))
                    .build();
            try (var client = MongoClients.create(settings)) {
                if (!options.contains("minPoolSize")) {
                    assertThatThrownBy(() -> collection(client).insertOne(new Document()))
                            .isInstanceOf(MongoException.class);
                }
                Await.until(() -> pool.stream().anyMatch(ConnectionPoolEvent.ConnectionClosed.class::isInstance));
            }
        }
    }
}
