package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.semel.driver.error.MongoException;
import dev.semel.driver.event.CommandStartedEvent;
import dev.semel.driver.setting.ClientSessionOptions;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
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
    void everyCommandTellsTheClusterTimeOfTheLastReply() {
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
