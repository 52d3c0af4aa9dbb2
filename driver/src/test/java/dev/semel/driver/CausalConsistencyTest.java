package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.error.MongoException;
import dev.semel.driver.event.CommandStartedEvent;
import dev.semel.driver.setting.ClientSessionOptions;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.ReadConcern;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** In a causal session each read sees what the session has seen or done before, by the ids of the prose tests. */
class CausalConsistencyTest {
    private interface Use extends BiConsumer<MongoCollection<Document>, ClientSession> {}

    private static final Document ONE = new Document("_id", 1);
    private static final Document SET = new Document("$set", new Document("a", 1));

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
        client = server.listening("&retryWrites=false", started);
        collection = client.getDatabase("db").getCollection("causal");
        collection.drop();
        collection.insertOne(new Document("_id", 0));
        started.clear();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private @Nullable BsonDocument lastConcern() {
        BsonDocument command = started.getLast().command();
        return command.isDocument("readConcern") ? command.getDocument("readConcern") : null;
    }

    private @Nullable BsonValue lastTime() {
        BsonDocument concern = lastConcern();
        return concern == null ? null : concern.get("afterClusterTime");
    }

    private static Map<String, Use> reads() {
        var reads = new LinkedHashMap<String, Use>();
        reads.put("find", (collection, session) -> collection.find(session).first());
        reads.put(
                "aggregate",
                (collection, session) ->
                        collection.aggregate(session, List.of()).first());
        reads.put(
                "distinct",
                (collection, session) ->
                        collection.distinct(session, "_id", Integer.class).first());
        reads.put("count", (collection, session) -> collection.countDocuments(session, new Document()));
        return reads;
    }

    private static Map<String, Use> writes() {
        var writes = new LinkedHashMap<String, Use>();
        writes.put("insertOne", (collection, session) -> collection.insertOne(session, ONE));
        writes.put(
                "insertOneThatFails", (collection, session) -> collection.insertOne(session, new Document("_id", 0)));
        writes.put("insertMany", (collection, session) -> collection.insertMany(session, List.of(ONE)));
        writes.put("updateOne", (collection, session) -> collection.updateOne(session, new Document(), SET));
        writes.put("updateMany", (collection, session) -> collection.updateMany(session, new Document(), SET));
        writes.put(
                "replaceOne", (collection, session) -> collection.replaceOne(session, new Document(), new Document()));
        writes.put("deleteOne", (collection, session) -> collection.deleteOne(session, new Document()));
        writes.put("deleteMany", (collection, session) -> collection.deleteMany(session, new Document()));
        writes.put(
                "findOneAndUpdate", (collection, session) -> collection.findOneAndUpdate(session, new Document(), SET));
        writes.put("findOneAndDelete", (collection, session) -> collection.findOneAndDelete(session, new Document()));
        return writes;
    }

    static Stream<String> readNames() {
        return reads().keySet().stream();
    }

    static Stream<String> writeNames() {
        return writes().keySet().stream();
    }

    private static Use named(Map<String, Use> uses, String name) {
        return uses.getOrDefault(name, (collection, session) -> {
            throw new AssertionError(name);
        });
    }

    /** CCP-1. */
    @Test
    void newSessionKnowsNoTime() {
        try (var session = client.startSession()) {
            assertThat(session.getOperationTime()).isNull();
        }
    }

    /** CCP-2. */
    @Test
    void firstReadMaySeeAnything() {
        try (var session = client.startSession()) {
            collection.find(session).first();
            assertThat(lastConcern()).isNull();
        }
    }

    /** CCP-3: replies and errors. */
    @Test
    void everyReplyMovesTheTimeOn() {
        try (var session = client.startSession()) {
            collection.insertOne(session, ONE);
            BsonTimestamp first = session.getOperationTime();
            assertThat(first).isNotNull();
            collection.insertOne(new Document("_id", 2));
            assertThatThrownBy(() ->
                            collection.find(session, new Document("$no", 1)).first())
                    .isInstanceOf(MongoException.class);
            assertThat(session.getOperationTime()).isGreaterThan(first);
        }
    }

    /** CCP-4. */
    @ParameterizedTest
    @MethodSource("readNames")
    void readComesAfterTheReadBefore(String name) {
        try (var session = client.startSession()) {
            collection.find(session).first();
            BsonTimestamp time = session.getOperationTime();
            named(reads(), name).accept(collection, session);
            assertThat(lastTime()).isNotNull().isEqualTo(time);
        }
    }

    /** CCP-5. */
    @ParameterizedTest
    @MethodSource("writeNames")
    void readComesAfterTheWriteBefore(String name) {
        try (var session = client.startSession()) {
            try {
                named(writes(), name).accept(collection, session);
            } catch (MongoException e) {
                assertThat(name).endsWith("Fails");
            }
            BsonTimestamp time = session.getOperationTime();
            collection.find(session).first();
            assertThat(lastTime()).isNotNull().isEqualTo(time);
        }
    }

    /** CCP-6. */
    @Test
    void otherSessionsDoNotWait() {
        try (var session = client.startSession(ClientSessionOptions.DEFAULT.withCausallyConsistent(false))) {
            collection.insertOne(session, ONE);
            collection.find(session).first();
            assertThat(lastConcern()).isNull();
        }
    }

    /** CCP-8, CCP-9. */
    @Test
    void levelIsSentOnlyIfThereIsOne() {
        try (var session = client.startSession()) {
            collection.find(session).first();
            collection.find(session).first();
            assertThat(lastConcern()).isNotNull().containsOnlyKeys("afterClusterTime");
            collection.withReadConcern(ReadConcern.MAJORITY).find(session).first();
            assertThat(lastConcern()).isNotNull().containsOnlyKeys("level", "afterClusterTime");
        }
    }

    /** CCP-7, CCP-11. */
    @Test
    void serverWithoutClusterTimesGetsNone() throws Exception {
        try (Server alone = Server.start(ServerOptions.memory().standalone());
                var other = MongoClients.create(MongoClientSettings.builder()
                        .applyConnectionString(new ConnectionString(alone.connectionString()))
                        .addCommandListener(TestServer.recorder(started))
                        .build());
                var session = other.startSession()) {
            var target = other.getDatabase("db").getCollection("causal");
            target.insertOne(session, ONE);
            target.find(session).first();
            assertThat(lastConcern()).isNull();
            assertThat(started).noneMatch(each -> each.command().containsKey("$clusterTime"));
        }
    }

    /** CCP-12. */
    @Test
    void serverWithClusterTimesGetsTheNewest() {
        collection.find().first();
        assertThat(started.getLast().command().containsKey("$clusterTime")).isTrue();
    }
}
