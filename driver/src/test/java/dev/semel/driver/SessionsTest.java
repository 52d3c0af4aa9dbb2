package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.semel.driver.error.MongoException;
import dev.semel.driver.event.ClusterEvent;
import dev.semel.driver.event.CommandStartedEvent;
import dev.semel.driver.model.ClientNamespacedWriteModel;
import dev.semel.driver.model.InsertOneModel;
import dev.semel.driver.setting.ClientSessionOptions;
import dev.semel.driver.setting.MongoNamespace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sessions, by the ids of the prose tests. */
class SessionsTest {
    private static TestServer server;
    private final List<CommandStartedEvent> started = new CopyOnWriteArrayList<>();
    private MongoClient client;
    private MongoCollection<Document> collection;

    @BeforeAll
    static void startServer() throws Exception {
        server = TestServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void connect() {
        client = server.listening("", started);
        collection = client.getDatabase("db").getCollection("sessions");
        collection.drop();
        collection.insertMany(IntStream.range(0, 5)
                .mapToObj(each -> new Document("_id", each))
                .toList());
        started.clear();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private BsonValue lsid(int index) {
        return started.get(index).command().get("lsid", new BsonDocument());
    }

    /** SESSP-1. */
    @Test
    void snapshotSessionIsNotCausal() {
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> client.startSession(
                        ClientSessionOptions.DEFAULT.withSnapshot(true).withCausallyConsistent(true)));
    }

    /** SESSP-2. */
    @Test
    void sessionUsedLastIsUsedFirst() {
        var one = client.startSession();
        var other = client.startSession();
        BsonDocument idOfOne = one.getServerSessionIdentifier();
        BsonDocument idOfOther = other.getServerSessionIdentifier();
        one.close();
        other.close();

        try (var third = client.startSession();
                var fourth = client.startSession()) {
            assertThat(third.getServerSessionIdentifier()).isEqualTo(idOfOther);
            assertThat(fourth.getServerSessionIdentifier()).isEqualTo(idOfOne);
        }
    }

    /** SESSP-3. */
    @Test
    void everyCommandCarriesTheClusterTimeOfTheLastReply() {
        collection.insertOne(new Document("_id", 10));
        collection.insertOne(new Document("_id", 11));
        collection.find().first();
        collection.aggregate(List.of()).first();
        client.getDatabase("admin").runCommand(new Document("ping", 1));

        var times = started.stream()
                .map(each -> each.command().getDocument("$clusterTime").getTimestamp("clusterTime"))
                .toList();
        assertThat(times).hasSize(5).isSorted();
        assertThat(times.get(1)).isGreaterThan(times.get(0));
        assertThat(times.get(2)).isGreaterThan(times.get(1));
    }

    /** SESSP-4. */
    @Test
    void givenSessionIsSentAndOtherwiseAnImplicitOne() {
        try (var session = client.startSession()) {
            collection.find(session).first();
            collection.find().first();
            assertThat(lsid(0)).isEqualTo(session.getServerSessionIdentifier());
            assertThat(lsid(1)).isNotEqualTo(lsid(0));
        }
    }

    /** SESSP-5. */
    @Test
    void sessionOfAnotherClientIsRefused() {
        try (var other = server.connect("", settings -> {});
                var session = other.startSession()) {
            assertThatExceptionOfType(MongoException.class)
                    .isThrownBy(() -> collection.insertOne(session, new Document()));
        }
        assertThat(started).isEmpty();
    }

    /** SESSP-6. */
    @Test
    void endedSessionCannotBeUsed() {
        var session = client.startSession();
        session.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> collection.find(session).first());
        assertThat(started).isEmpty();
    }

    private interface Use extends BiConsumer<MongoCollection<Document>, ClientSession> {}

    /** One for each method of clients, databases and collections that takes a session. */
    private Map<String, Use> uses() {
        var one = new Document("_id", 100);
        var none = new Document("_id", -1);
        var set = new Document("$set", new Document("a", 1));
        MongoDatabase database = client.getDatabase("db");
        var uses = new LinkedHashMap<String, Use>();
        uses.put("find", (target, session) -> target.find(session).first());
        uses.put(
                "aggregate",
                (target, session) -> target.aggregate(session, List.of()).first());
        uses.put(
                "distinct",
                (target, session) ->
                        target.distinct(session, "_id", Integer.class).first());
        uses.put("countDocuments", (target, session) -> target.countDocuments(session, none));
        uses.put("insertOne", (target, session) -> target.insertOne(session, one));
        uses.put("insertMany", (target, session) -> target.insertMany(session, List.of(new Document())));
        uses.put("updateOne", (target, session) -> target.updateOne(session, none, set));
        uses.put("updateMany", (target, session) -> target.updateMany(session, none, set));
        uses.put("replaceOne", (target, session) -> target.replaceOne(session, none, new Document()));
        uses.put("deleteOne", (target, session) -> target.deleteOne(session, one));
        uses.put("deleteMany", (target, session) -> target.deleteMany(session, none));
        uses.put("findOneAndUpdate", (target, session) -> target.findOneAndUpdate(session, none, set));
        uses.put("findOneAndReplace", (target, session) -> target.findOneAndReplace(session, none, new Document()));
        uses.put("findOneAndDelete", (target, session) -> target.findOneAndDelete(session, none));
        uses.put(
                "bulkWrite",
                (target, session) -> target.bulkWrite(session, List.of(new InsertOneModel<>(new Document()))));
        uses.put("createIndex", (target, session) -> target.createIndex(session, new Document("a", 1)));
        uses.put("listIndexes", (target, session) -> target.listIndexes(session).first());
        uses.put("watch", (target, session) -> target.watch(session).cursor().close());
        uses.put("runCommand", (target, session) -> database.runCommand(session, new Document("ping", 1)));
        uses.put(
                "listCollections",
                (target, session) -> database.listCollections(session).first());
        uses.put(
                "listDatabases",
                (target, session) -> client.listDatabases(session).first());
        uses.put(
                "clientBulkWrite",
                (target, session) -> client.bulkWrite(
                        session,
                        List.of(ClientNamespacedWriteModel.insertOne(
                                new MongoNamespace("db.sessions"), new Document()))));
        return uses;
    }

    /** SESSP-4, SESSP-5, SESSP-6, SESSP-10: for every method. */
    @Test
    void everyMethodTakesSession() {
        try (var other = server.connect("", settings -> {});
                var session = client.startSession();
                var foreign = other.startSession()) {
            var ended = client.startSession();
            ended.close();
            uses().forEach((name, use) -> {
                started.clear();
                use.accept(collection, session);
                assertThat(started)
                        .as(name)
                        .isNotEmpty()
                        .allSatisfy(each -> assertThat(each.command().get("lsid"))
                                .as(name)
                                .isEqualTo(session.getServerSessionIdentifier()));
                started.clear();
                assertThatExceptionOfType(MongoException.class)
                        .as(name)
                        .isThrownBy(() -> use.accept(collection, foreign));
                assertThatIllegalStateException().as(name).isThrownBy(() -> use.accept(collection, ended));
                assertThat(started).as(name).isEmpty();
            });
        }
    }

    /** SESSP-10: what was done without a session has given its own back, so that one was enough. */
    @Test
    void noSessionIsLeftBehind() {
        collection.find().first();
        collection.find().batchSize(2).into(new ArrayList<>());
        collection.aggregate(List.of()).first();
        collection.insertOne(new Document("_id", 100));
        assertThatExceptionOfType(MongoException.class)
                .isThrownBy(() -> collection.insertOne(new Document("_id", 100)));
        collection.watch().cursor().close();
        client.getDatabase("db").listCollections().first();
        client.getDatabase("db").runCommand(new Document("ping", 1));
        try (var cursor = collection.find().batchSize(2).cursor()) {
            cursor.next();
        }
        collection.countDocuments();
        assertThat(started)
                .extracting(each -> each.command().get("lsid"))
                .doesNotContainNull()
                .containsOnly(lsid(0));
    }

    /** SESSP-8. */
    @Test
    void cursorExhaustedByItsFirstBatchGivesItsSessionBack() {
        try (var cursor = collection.find().cursor()) {
            cursor.next();
            collection.countDocuments();
        }
        assertThat(lsid(1)).isEqualTo(lsid(0));
    }

    /** SESSP-9, SESSP-11. */
    @Test
    void cursorExhaustedByGetMoreGivesItsSessionBack() {
        try (var cursor = collection.find().batchSize(3).cursor()) {
            for (int i = 0; i < 4; i++) {
                cursor.next();
            }
            collection.countDocuments();
        }
        assertThat(started.get(1).commandName()).isEqualTo("getMore");
        assertThat(lsid(1)).isEqualTo(lsid(0));
        assertThat(lsid(2)).isEqualTo(lsid(0));
    }

    /** SESSP-14. */
    @Test
    void sessionIsTakenAfterTheConnection() throws Exception {
        var sessions = new HashSet<BsonValue>();
        int fewest = Integer.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            started.clear();
            try (var narrow = server.listening("&maxPoolSize=1", started);
                    var executor = Executors.newVirtualThreadPerTaskExecutor()) {
                var target = narrow.getDatabase("db").getCollection("sessions");
                var all = IntStream.range(0, 8)
                        .mapToObj(each -> executor.submit(() -> target.find().first()))
                        .toList();
                for (var each : all) {
                    each.get();
                }
                sessions.clear();
                for (int i = 0; i < 8; i++) {
                    sessions.add(lsid(i));
                }
            }
            assertThat(sessions).hasSizeLessThan(8);
            fewest = Math.min(fewest, sessions.size());
        }
        assertThat(fewest).isEqualTo(1);
    }

    /** SESSP-20: cluster times in replies to heartbeats are ignored. */
    @Test
    void heartbeatsNeitherTellNorTakeTheClusterTime() {
        var beats = new AtomicInteger();
        var sent = new CopyOnWriteArrayList<CommandStartedEvent>();
        try (var quick = server.connect(
                "&serverMonitoringMode=poll",
                settings -> settings.applyToServerSettings(servers -> servers.heartbeatFrequency(Duration.ofMillis(10)))
                        .addCommandListener(TestServer.recorder(sent))
                        .applyToClusterSettings(cluster -> cluster.addClusterListener(event -> {
                            if (event instanceof ClusterEvent.HeartbeatSucceeded) {
                                beats.incrementAndGet();
                            }
                        })))) {
            var ping = new Document("ping", 1);
            quick.getDatabase("admin").runCommand(ping);
            server.admin().getDatabase("db").getCollection("times").insertOne(new Document());
            int before = beats.get();
            Await.until(() -> beats.get() >= before + 3);
            quick.getDatabase("admin").runCommand(ping);
            assertThat(sent.getLast().command().getDocument("$clusterTime").getTimestamp("clusterTime"))
                    .isLessThan(timeNow());
        }
    }

    private static BsonTimestamp timeNow() {
        try (var session = server.admin().startSession()) {
            server.admin()
                    .getDatabase("db")
                    .getCollection("times")
                    .find(session)
                    .first();
            return Objects.requireNonNull(session.getClusterTime()).getTimestamp("clusterTime");
        }
    }

    /** SESSP-23: nothing changes it from outside, and later reads do not either. */
    @Test
    void snapshotTimeIsThatOfTheFirstRead() {
        try (var session = client.startSession(ClientSessionOptions.DEFAULT.withSnapshot(true))) {
            collection.find(session).first();
            BsonTimestamp time = session.getSnapshotTime();
            assertThat(time).isNotNull();
            collection.insertOne(new Document("_id", 20));
            collection.find(session).first();
            assertThat(session.getSnapshotTime()).isEqualTo(time);
        }
    }

    /** SESSP-21, SESSP-22. */
    @Test
    void onlySnapshotSessionHasSnapshotTime() {
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() ->
                        client.startSession(ClientSessionOptions.DEFAULT.withSnapshotTime(new BsonTimestamp(1, 1))));
        try (var session = client.startSession()) {
            assertThatIllegalStateException().isThrownBy(session::getSnapshotTime);
        }
    }
}
