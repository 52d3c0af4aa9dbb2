package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.description.ServerDescription;
import dev.semel.driver.description.ServerType;
import dev.semel.driver.description.TopologyType;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoNotPrimaryException;
import dev.semel.driver.event.ClusterEvent;
import dev.semel.driver.event.ClusterEvent.HeartbeatFailed;
import dev.semel.driver.event.ClusterEvent.HeartbeatStarted;
import dev.semel.driver.event.ClusterEvent.HeartbeatSucceeded;
import dev.semel.driver.event.ClusterEvent.ServerDescriptionChanged;
import dev.semel.driver.event.ConnectionPoolEvent;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.ReadPreference;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the driver believes of the servers, by the ids of the prose tests. */
class TopologyTest {
    private static final String FOUND = "{ok: 1, cursor: {id: {$numberLong: '0'}, ns: 'db.c', firstBatch: []}}";
    private static final String DONE = "{ok: 1, n: 1}";

    private final List<ClusterEvent> events = new CopyOnWriteArrayList<>();
    private final List<ConnectionPoolEvent> pool = new CopyOnWriteArrayList<>();
    private RecordingServer primary;
    private RecordingServer secondary;

    @BeforeEach
    void start() throws IOException {
        primary = new RecordingServer();
        secondary = new RecordingServer();
        primary.greet(RecordingServer.member(primary, "isWritablePrimary: true", primary, secondary));
        secondary.greet(
                RecordingServer.member(secondary, "isWritablePrimary: false, secondary: true", primary, secondary));
        for (RecordingServer each : List.of(primary, secondary)) {
            each.answer((command, count) -> command.containsKey("find") ? FOUND : DONE);
        }
    }

    @AfterEach
    void stop() {
        primary.close();
        secondary.close();
    }

    private MongoClient open(String uri) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .applyToServerSettings(servers -> servers.minHeartbeatFrequency(Duration.ofMillis(10)))
                .applyToClusterSettings(cluster -> cluster.addClusterListener(events::add))
                .applyToConnectionPoolSettings(pools -> pools.addConnectionPoolListener(pool::add))
                .build());
    }

    private MongoClient openSet() {
        return open(primary.uri() + "&replicaSet=rs&retryWrites=false&retryReads=false");
    }

    private static MongoCollection<Document> collection(MongoClient client) {
        return client.getDatabase("db").getCollection("c");
    }

    private static void insert(MongoClient client) {
        collection(client).insertOne(new Document("_id", 1));
    }

    private void awaitSet(MongoClient client) {
        Await.until(() -> client.getClusterDescription().servers().stream()
                .allMatch(each -> each.type().isDataBearing()
                        && client.getClusterDescription().servers().size() == 2));
    }

    private long heartbeats(RecordingServer of) {
        return events.stream()
                .filter(each -> each instanceof HeartbeatStarted started
                        && started.address().equals(of.address()))
                .count();
    }

    /** The first thing that became known of it by an operation. */
    private ServerDescription lost(RecordingServer server) {
        return events.stream()
                .filter(each -> each instanceof ServerDescriptionChanged changed
                        && changed.address().equals(server.address())
                        && changed.previous().type().isDataBearing())
                .map(each -> ((ServerDescriptionChanged) each).current())
                .findFirst()
                .orElseThrow();
    }

    private List<TopologyType> types() {
        return events.stream()
                .filter(ClusterEvent.TopologyDescriptionChanged.class::isInstance)
                .map(each -> ((ClusterEvent.TopologyDescriptionChanged) each)
                        .current()
                        .type())
                .toList();
    }

    /** SDAMP-1. */
    @Test
    void clientIsCreatedWhileAllSeedsAreDown() {
        primary.close();
        try (var client = openSet()) {
            assertThat(client.getClusterDescription().servers()).hasSize(1);
        }
    }

    /** SDAMP-2. */
    @Test
    void errorOfTheNetworkOnWriteLosesThePrimaryWithoutAnotherLookAtOnce() {
        primary.answer((command, count) -> null);
        try (var client = openSet()) {
            awaitSet(client);
            long before = heartbeats(primary);
            assertThatThrownBy(() -> insert(client)).isInstanceOf(MongoException.class);
            assertThat(lost(primary).type()).isEqualTo(ServerType.UNKNOWN);
            assertThat(types())
                    .containsSubsequence(TopologyType.REPLICA_SET_WITH_PRIMARY, TopologyType.REPLICA_SET_NO_PRIMARY);
            primary.answer((command, count) -> DONE);
            insert(client);
            assertThat(heartbeats(primary)).isGreaterThan(before);
            assertThat(events).as("the closed connection is not asked").noneMatch(HeartbeatFailed.class::isInstance);
        }
    }

    /** SDAMP-3, SDAMP-6: the reply is recognised by its code or, where it has none, by its text. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ok: 0, code: 10107, errmsg: 'not primary 1'}",
                "{errmsg: 'not primary 1', code: 10107, ok: 0}",
                "{ok: 0, errmsg: 'not master 1'}",
                "{errmsg: 'not master 1', ok: 0}",
                "{ok: 0, code: 13435, errmsg: 'not primary 1 and secondaryOk=false'}",
                "{ok: 0, errmsg: 'node is recovering 1'}",
                "{ok: 0, code: 11602, errmsg: 'interrupted 1'}",
            })
    void readThatFindsNoPrimaryLosesItAndAsksAgain(String reply) {
        primary.answer((command, count) -> count == 0 ? reply : FOUND);
        try (var client = openSet()) {
            awaitSet(client);
            long before = heartbeats(primary);
            assertThatThrownBy(() -> collection(client).find().first()).isInstanceOf(MongoException.class);
            assertThat(lost(primary).type()).isEqualTo(ServerType.UNKNOWN);
            assertThat(String.valueOf(lost(primary).error())).contains(" 1");
            assertThat(types()).contains(TopologyType.REPLICA_SET_NO_PRIMARY);
            Await.until(() -> heartbeats(primary) > before);
        }
    }

    /** SDAMP-4. */
    @Test
    void recoveringSecondaryIsLostAndThePrimaryStays() {
        secondary.answer((command, count) -> "{ok: 0, code: 11602, errmsg: 'recovering'}");
        try (var client = openSet()) {
            awaitSet(client);
            long before = heartbeats(secondary);
            assertThatThrownBy(() -> collection(client)
                            .withReadPreference(ReadPreference.secondary())
                            .find()
                            .first())
                    .isInstanceOf(MongoException.class);
            assertThat(lost(secondary).type()).isEqualTo(ServerType.UNKNOWN);
            assertThat(client.getClusterDescription().type()).isEqualTo(TopologyType.REPLICA_SET_WITH_PRIMARY);
            Await.until(() -> heartbeats(secondary) > before);
        }
    }

    /** SDAMP-5. */
    @Test
    void errorOfTheWriteConcernLosesThePrimaryAndAsksAgain() {
        primary.answer((command, count) ->
                count == 0 ? "{ok: 1, n: 1, writeConcernError: {code: 91, errmsg: 'going down'}}" : DONE);
        try (var client = openSet()) {
            awaitSet(client);
            long before = heartbeats(primary);
            assertThatThrownBy(() -> insert(client)).isInstanceOf(MongoException.class);
            assertThat(lost(primary).type()).isEqualTo(ServerType.UNKNOWN);
            Await.until(() -> heartbeats(primary) > before);
            insert(client);
        }
    }

    /** SDAMP-6: an error of a write and of the count of a query. */
    @ParameterizedTest
    @ValueSource(strings = {"insert", "count"})
    void everyCommandReportsALostPrimary(String command) {
        primary.answer((heard, count) -> "{errmsg: 'not primary', ok: 0, code: 10107}");
        try (var client = openSet()) {
            awaitSet(client);
            assertThatThrownBy(() -> {
                        if (command.equals("insert")) {
                            insert(client);
                        } else {
                            collection(client).estimatedDocumentCount();
                        }
                    })
                    .isInstanceOf(MongoNotPrimaryException.class);
            assertThat(lost(primary).type()).isEqualTo(ServerType.UNKNOWN);
        }
    }

    /** SDAMP-7, SDAMP-9: without the option the set is found, too. */
    @ParameterizedTest
    @ValueSource(strings = {"&directConnection=false", ""})
    void writeFindsThePrimaryFromTheSecondary(String option) {
        try (var client = open(secondary.uri() + option)) {
            insert(client);
        }
        assertThat(primary.commands("insert")).hasSize(1);
    }

    /** SDAMP-8. */
    @Test
    void directConnectionToSecondaryDoesNotLeaveIt() {
        secondary.answer((command, count) -> "{ok: 0, code: 10107, errmsg: 'not primary'}");
        try (var client = open(secondary.uri() + "&directConnection=true&retryWrites=false")) {
            assertThatThrownBy(() -> insert(client)).isInstanceOf(MongoNotPrimaryException.class);
            assertThat(client.getClusterDescription().type()).isEqualTo(TopologyType.SINGLE);
        }
        assertThat(primary.heard()).isEmpty();
    }

    // ---- with a server that answers by itself

    private MongoClient connect(TestServer server, String application, Duration heartbeat, Duration least) {
        return server.connect(
                "&appName=" + application,
                settings -> settings.applyToServerSettings(servers -> servers.heartbeatFrequency(heartbeat))
                        .applyToServerSettings(servers -> servers.minHeartbeatFrequency(least))
                        .applyToClusterSettings(cluster -> cluster.addClusterListener(events::add))
                        .applyToConnectionPoolSettings(pools -> pools.addConnectionPoolListener(pool::add)));
    }

    /** SDAMP-10, SDAMP-11: heartbeats go on, and the time of a round trip follows what it really is. */
    @Test
    void roundTripsAreMeasuredAllTheTime() throws IOException {
        try (var server = TestServer.start();
                var client = connect(server, "rtt", Duration.ofMillis(50), Duration.ofMillis(10))) {
            client.getDatabase("admin").runCommand(new Document("ping", 1));
            Await.until(() ->
                    events.stream().filter(HeartbeatSucceeded.class::isInstance).count() > 4);
            assertThat(events.stream()
                            .filter(ServerDescriptionChanged.class::isInstance)
                            .map(each -> ((ServerDescriptionChanged) each).current())
                            .filter(each -> each.type().isDataBearing()))
                    .isNotEmpty()
                    .allSatisfy(each -> assertThat(each.roundTripTime()).isPositive());
            server.failCommand(
                    "{times: 1000}",
                    "{failCommands: ['hello', 'isMaster'], blockConnection: true, blockTimeMS: 100, appName: 'rtt'}");
            Await.until(() -> {
                Duration time = client.getClusterDescription()
                        .servers()
                        .iterator()
                        .next()
                        .roundTripTime();
                return time != null && time.toMillis() > 50;
            });
        }
    }

    /** SDAMP-12. */
    @Test
    void heartbeatStartedEventComesBeforeTheConnection() throws IOException {
        var order = new CopyOnWriteArrayList<String>();
        try (var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try (Socket socket = listener.accept()) {
                    order.add("connected");
                    if (socket.getInputStream().read() >= 0) {
                        order.add("hello");
                    }
                } catch (IOException e) {
                    order.add(e.toString());
                }
            });
            var settings = MongoClientSettings.builder()
                    .applyConnectionString(new ConnectionString("mongodb://127.0.0.1:" + listener.getLocalPort()))
                    .applyToClusterSettings(cluster -> cluster.addClusterListener(event -> {
                        switch (event) {
                            case HeartbeatStarted started -> order.add("started");
                            case HeartbeatFailed failed -> order.add("failed");
                            default -> {}
                        }
                    }))
                    .build();
            try (var client = MongoClients.create(settings)) {
                Await.until(() -> order.contains("failed"));
                assertThat(client.getClusterDescription().type()).isEqualTo(TopologyType.UNKNOWN);
            }
        }
        assertThat(order).startsWith("started", "connected", "hello", "failed");
    }

    /** SDAMP-13: five failures cost five of the shortest pauses, not five heartbeats. */
    @Test
    void failedChecksAreRepeatedAfterTheShortestPause() throws IOException {
        try (var server = TestServer.start()) {
            server.failCommand(
                    "{times: 5}", "{failCommands: ['hello', 'isMaster'], errorCode: 1234, appName: 'again'}");
            long start = System.nanoTime();
            try (var client = connect(server, "again", Duration.ofSeconds(60), Duration.ofMillis(40))) {
                client.getDatabase("admin").runCommand(new Document("ping", 1));
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(5 * 40));
            assertThat(events.stream().filter(HeartbeatFailed.class::isInstance))
                    .hasSize(5);
        }
    }

    /** SDAMP-14. */
    @Test
    void poolIsReadyOnlyAfterTheServerAnswers() throws IOException {
        try (var server = TestServer.start();
                var client = connect(server, "ready", Duration.ofMillis(50), Duration.ofMillis(10))) {
            Await.until(() -> pool.stream().anyMatch(ConnectionPoolEvent.PoolReady.class::isInstance));
            assertThat(events).anyMatch(HeartbeatSucceeded.class::isInstance);
            // The pool is ready a moment before the server can be selected.
            Await.until(() -> client.getClusterDescription().type() == TopologyType.REPLICA_SET_WITH_PRIMARY);
            events.clear();
            pool.clear();
            server.failCommand(
                    "{times: 2}", "{failCommands: ['hello', 'isMaster'], errorCode: 1234, appName: 'ready'}");
            Await.until(() -> pool.stream().anyMatch(ConnectionPoolEvent.PoolReady.class::isInstance));
            assertThat(pool)
                    .extracting(each -> (Object) each.getClass())
                    .startsWith(ConnectionPoolEvent.PoolCleared.class)
                    .endsWith(ConnectionPoolEvent.PoolReady.class);
            assertThat(events).anyMatch(HeartbeatFailed.class::isInstance);
        }
    }

    /** SDAMP-15: who hangs up on newcomers is overloaded, not gone. */
    @Test
    void serverThatTakesNoMoreConnectionsKeepsItsPool() throws Exception {
        String hello = RecordingServer.common("isWritablePrimary: true, logicalSessionTimeoutMinutes: 30");
        primary.helloEach(connection -> connection < 3 || connection % 4 == 0 ? hello : null);
        try (var client = open(primary.uri() + "&maxConnecting=100");
                var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            collection(client).find().first();
            primary.answer((command, count) -> {
                Thread.sleep(50);
                return FOUND;
            });
            var all = IntStream.range(0, 50)
                    .mapToObj(each -> executor.submit(() -> {
                        try {
                            collection(client).find().first();
                        } catch (MongoException e) {
                            assertThat(e.hasErrorLabel(MongoException.SYSTEM_OVERLOADED_ERROR_LABEL))
                                    .isTrue();
                        }
                    }))
                    .toList();
            for (var each : all) {
                each.get();
            }
            assertThat(pool.stream()
                            .filter(ConnectionPoolEvent.CheckOutFailed.class::isInstance)
                            .count())
                    .isGreaterThanOrEqualTo(10);
            assertThat(pool).noneMatch(ConnectionPoolEvent.PoolCleared.class::isInstance);
        }
    }

    // ---- step-downs

    private long cleared() {
        return pool.stream()
                .filter(ConnectionPoolEvent.PoolCleared.class::isInstance)
                .count();
    }

    /** STEP-1. */
    @Test
    void cursorSurvivesTheStepDownOfItsServer() {
        primary.answer((command, count) -> switch (command.getFirstKey()) {
            case "find" -> "{ok: 1, cursor: {id: {$numberLong: '7'}, ns: 'db.c', firstBatch: [{_id: 1}]}}";
            case "getMore" -> "{ok: 1, cursor: {id: {$numberLong: '0'}, ns: 'db.c', nextBatch: [{_id: 2}]}}";
            default -> "{ok: 0, code: 10107, errmsg: 'not primary'}";
        });
        try (var client = openSet();
                var cursor = collection(client).find().batchSize(1).cursor()) {
            awaitSet(client);
            cursor.next();
            primary.greet(
                    RecordingServer.member(primary, "isWritablePrimary: false, secondary: true", primary, secondary));
            secondary.greet(RecordingServer.member(secondary, "isWritablePrimary: true", primary, secondary));
            assertThatThrownBy(() -> insert(client)).isInstanceOf(MongoNotPrimaryException.class);
            insert(client);
            assertThat(cursor.next()).isEqualTo(new Document("_id", 2));
            assertThat(secondary.commands("insert")).hasSize(1);
            assertThat(cleared()).isZero();
            assertThat(primary.heard().stream()
                            .map(RecordingServer.Heard::connection)
                            .distinct())
                    .hasSize(1);
        }
    }

    /** STEP-2, STEP-3, STEP-4. */
    @ParameterizedTest
    @CsvSource({"10107, 0", "91, 1", "11600, 1"})
    void onlyServerThatShutsDownLosesItsPool(int code, int cleared) throws IOException {
        try (var server = TestServer.start();
                var client = server.connect(
                        "&retryWrites=false",
                        settings -> settings.applyToConnectionPoolSettings(
                                pools -> pools.addConnectionPoolListener(pool::add)))) {
            insert(client);
            server.failCommand("{times: 1}", "{failCommands: ['insert'], errorCode: " + code + "}");
            assertThatThrownBy(() -> collection(client).insertOne(new Document("_id", 2)))
                    .isInstanceOfSatisfying(
                            MongoException.class, e -> assertThat(e.getCode()).isEqualTo(code));
            assertThat(cleared()).isEqualTo(cleared);
            collection(client).insertOne(new Document("_id", 2));
        }
    }
}
