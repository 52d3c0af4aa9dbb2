package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.error.DuplicateKeyException;
import dev.semel.driver.error.MongoCursorNotFoundException;
import dev.semel.driver.error.MongoQueryException;
import dev.semel.driver.error.MongoTimeoutException;
import dev.semel.driver.error.MongoWriteException;
import dev.semel.driver.event.CommandStartedEvent;
import dev.semel.driver.model.changestream.ChangeStreamDocument;
import dev.semel.driver.model.changestream.SplitEvent;
import dev.semel.driver.setting.ExplainVerbosity;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Features that users of the official driver look for first. */
class OfficialHabitsTest {
    private static final List<CommandStartedEvent> started = new CopyOnWriteArrayList<>();
    private static TestServer server;
    private static MongoClient client;
    private static MongoCollection<Document> collection;

    @BeforeAll
    static void start() throws IOException {
        server = TestServer.start();
        client = server.listening("", started);
        collection = client.getDatabase("db").getCollection("c");
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @BeforeEach
    void begin() {
        collection.deleteMany(new Document());
        collection.insertOne(new Document("_id", 1));
        started.clear();
    }

    @Test
    void findExplains() {
        Document explained = collection.find(new Document("_id", 1)).limit(3).explain(ExplainVerbosity.EXECUTION_STATS);

        assertThat(explained).containsKeys("queryPlanner", "executionStats");
        BsonDocument sent = started.getFirst().command();
        assertThat(sent.getDocument("explain"))
                .isEqualTo(BsonDocument.parse("{find: 'c', filter: {_id: 1}, limit: 3}"));
        assertThat(sent.getString("verbosity").getValue()).isEqualTo("executionStats");
        assertThat(collection.find().explain()).containsKey("queryPlanner");
    }

    /** CRUDP-14: maxTimeMS is a field of explain, not of the explained command. */
    @Test
    void explainHasTheTimeLimit() {
        collection.find().maxTime(Duration.ofSeconds(60)).explain();

        BsonDocument sent = started.getFirst().command();
        assertThat(sent.getNumber("maxTimeMS").longValue()).isEqualTo(60_000);
        assertThat(sent.getDocument("explain").containsKey("maxTimeMS")).isFalse();
    }

    @Test
    void aggregateExplains() {
        BsonDocument explained = collection
                .aggregate(List.of(new Document("$match", new Document("_id", 1))))
                .explain(BsonDocument.class, ExplainVerbosity.QUERY_PLANNER);

        assertThat(explained).containsKey("ok");
        assertThat(started.getFirst().command().getDocument("explain"))
                .isEqualTo(BsonDocument.parse("{aggregate: 'c', pipeline: [{$match: {_id: 1}}], cursor: {}}"));
    }

    @Test
    void aDuplicateKeyHasAnExceptionOfItsOwn() {
        assertThatThrownBy(() -> collection.insertOne(new Document("_id", 1)))
                .isInstanceOf(DuplicateKeyException.class);
        collection.insertOne(new Document("_id", 2));
        client.getDatabase("db").getCollection("c").createIndex(new Document("x", 1));
        assertThatThrownBy(() ->
                        collection.updateOne(new Document("_id", 2), new Document("$set", new Document("_id", 3))))
                .isInstanceOf(MongoWriteException.class)
                .isNotInstanceOf(DuplicateKeyException.class);
    }

    @Test
    void queriesFailWithTheirOwnException() {
        assertThatThrownBy(() -> collection.find(new Document("$nope", 1)).first())
                .isInstanceOf(MongoQueryException.class);
        assertThat(MongoQueryException.class).isAssignableFrom(MongoCursorNotFoundException.class);
    }

    /** SSP-2: a server selector of the application is called, and its choice is used. */
    @Test
    void theApplicationMayChooseTheServer() {
        try (MongoClient choosing = server.connect(
                "",
                settings -> settings.applyToClusterSettings(
                        cluster -> cluster.serverSelector(suitable -> List.copyOf(suitable.servers()))))) {
            choosing.getDatabase("db").getCollection("c").countDocuments();
        }
        try (MongoClient choosing = server.connect(
                "",
                settings -> settings.applyToClusterSettings(cluster -> cluster.serverSelector(suitable -> List.of())
                        .serverSelectionTimeout(Duration.ofMillis(100))))) {
            var untouched = choosing.getDatabase("db").getCollection("c");
            assertThatThrownBy(untouched::countDocuments).isInstanceOf(MongoTimeoutException.class);
        }
    }

    @Test
    void aFragmentOfAChangeHasItsNumber() {
        var part = ChangeStreamDocument.of(
                BsonDocument.parse("{_id: {}, operationType: 'update', splitEvent: {fragment: 1, of: 2}}"),
                new BsonDocumentCodec());
        var whole = ChangeStreamDocument.of(
                BsonDocument.parse("{_id: {}, operationType: 'update'}"), new BsonDocumentCodec());

        assertThat(part.getSplitEvent()).isEqualTo(new SplitEvent(1, 2));
        assertThat(whole.getSplitEvent()).isNull();
    }
}
