package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.description.TopologyType;
import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.error.MongoTimeoutException;
import dev.semel.driver.error.MongoWriteException;
import dev.semel.driver.event.CommandListener;
import dev.semel.driver.event.CommandStartedEvent;
import dev.semel.driver.model.DeleteManyModel;
import dev.semel.driver.model.FindOneAndUpdateOptions;
import dev.semel.driver.model.IndexOptions;
import dev.semel.driver.model.InsertManyOptions;
import dev.semel.driver.model.InsertOneModel;
import dev.semel.driver.model.MongoBulkWriteException;
import dev.semel.driver.model.ReturnDocument;
import dev.semel.driver.model.UpdateOneModel;
import dev.semel.driver.model.UpdateOptions;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an application does with the driver, against a real server. */
class ClientTest {
    private static Server server;
    private final List<CommandStartedEvent> started = new CopyOnWriteArrayList<>();
    private MongoClient client;
    private MongoCollection<Document> collection;

    @BeforeAll
    static void startServer() throws IOException {
        server = Server.start(ServerOptions.memory());
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void connect() {
        client = connect("");
        collection = client.getDatabase("db").getCollection("c");
        collection.drop();
        started.clear();
    }

    private MongoClient connect(String options) {
        var string = new ConnectionString(server.connectionString() + options);
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(string)
                .addCommandListener(new CommandListener() {
                    @Override
                    public void commandStarted(CommandStartedEvent event) {
                        started.add(event);
                    }
                })
                .build());
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private static List<Document> documents(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Document("_id", i).append("a", i % 10))
                .toList();
    }

    @Test
    void findsTheReplicaSet() {
        assertThat(collection.countDocuments()).isZero();
        assertThat(client.getClusterDescription().type()).isEqualTo(TopologyType.REPLICA_SET_WITH_PRIMARY);
    }

    @Test
    void insertGivesAnIdAndFindReturnsTheDocument() {
        var document = new Document("a", 1);
        var result = collection.insertOne(document);
        assertThat(result.getInsertedId()).isNotNull();
        assertThat(collection
                        .find(new Document("_id", document.getObjectId("_id")))
                        .first())
                .isEqualTo(document);
        assertThat(collection.find(new Document("_id", 0)).first()).isNull();
    }

    @Test
    void secondInsertOfAnIdFailsWithTheServersCode() {
        collection.insertOne(new Document("_id", 1));
        assertThatExceptionOfType(MongoWriteException.class)
                .isThrownBy(() -> collection.insertOne(new Document("_id", 1)))
                .satisfies(e -> assertThat(e.getCode()).isEqualTo(11000))
                .satisfies(e -> assertThat(e.getServerAddress().port()).isPositive());
    }

    @Test
    void cursorFetchesAllBatches() {
        collection.insertMany(documents(1000));
        started.clear();
        assertThat(collection.find().sort(new Document("_id", 1)).batchSize(100).into(new ArrayList<>()))
                .isEqualTo(documents(1000));
        assertThat(started).extracting(CommandStartedEvent::commandName).startsWith("find", "getMore");
        assertThat(started.get(1).command().get("lsid"))
                .isEqualTo(started.get(0).command().get("lsid"));
        assertThat(collection.find().limit(7).into(new ArrayList<>())).hasSize(7);
    }

    @Test
    void closedCursorIsKilledOnTheServer() {
        collection.insertMany(documents(10));
        started.clear();
        try (var cursor = collection.find().batchSize(2).cursor()) {
            assertThat(cursor.next()).containsEntry("_id", 0);
        }
        assertThat(started).extracting(CommandStartedEvent::commandName).containsExactly("find", "killCursors");
    }

    @Test
    void updatesDeletesAndFindAndModifyReportWhatTheyDid() {
        collection.insertMany(documents(20));
        var update = new Document("$inc", new Document("n", 1));
        assertThat(collection.updateOne(new Document("a", 3), update).getModifiedCount())
                .isEqualTo(1);
        assertThat(collection.updateMany(new Document("a", 3), update).getMatchedCount())
                .isEqualTo(2);
        assertThat(collection
                        .updateOne(new Document("_id", 100), update, new UpdateOptions().upsert(true))
                        .getUpsertedId())
                .isEqualTo(new BsonInt32(100));
        assertThat(collection
                        .replaceOne(new Document("_id", 100), new Document("x", 1))
                        .getModifiedCount())
                .isEqualTo(1);
        assertThat(collection.findOneAndUpdate(
                        new Document("_id", 5),
                        update,
                        new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER)))
                .containsEntry("n", 1);
        assertThat(collection.findOneAndDelete(new Document("_id", 5))).containsEntry("n", 1);
        assertThat(collection.findOneAndReplace(new Document("_id", 5), new Document()))
                .isNull();
        assertThat(collection.deleteOne(new Document("a", 4)).getDeletedCount()).isEqualTo(1);
        assertThat(collection.deleteMany(new Document("a", 6)).getDeletedCount())
                .isEqualTo(2);
        assertThat(collection.countDocuments(new Document("a", 4))).isEqualTo(1);
        assertThat(collection.estimatedDocumentCount()).isEqualTo(17);
    }

    @Test
    void bulkWriteKeepsTheOrderAndReportsByIndex() {
        var result = collection.bulkWrite(List.of(
                new InsertOneModel<>(new Document("_id", 1)),
                new InsertOneModel<>(new Document("_id", 2)),
                new UpdateOneModel<>(
                        new Document("_id", 3),
                        new Document("$set", new Document("x", 1)),
                        new UpdateOptions().upsert(true)),
                new DeleteManyModel<>(new Document())));
        assertThat(result.getInsertedCount()).isEqualTo(2);
        assertThat(result.getUpserts())
                .hasSize(1)
                .first()
                .satisfies(each -> assertThat(each.index()).isEqualTo(2));
        assertThat(result.getDeletedCount()).isEqualTo(3);
        assertThat(started).extracting(CommandStartedEvent::commandName).containsExactly("insert", "update", "delete");
        assertThat(started.get(0).command()).containsKey("txnNumber");
        assertThat(started.get(2).command()).doesNotContainKey("txnNumber");
    }

    @Test
    void bulkErrorSaysWhichStatementsFailed() {
        collection.insertOne(new Document("_id", 5));
        assertThatExceptionOfType(MongoBulkWriteException.class)
                .isThrownBy(() -> collection.insertMany(documents(10), new InsertManyOptions().ordered(false)))
                .satisfies(e -> assertThat(e.getWriteErrors()).hasSize(1))
                .satisfies(e ->
                        assertThat(e.getWriteErrors().getFirst().getIndex()).isEqualTo(5))
                .satisfies(
                        e -> assertThat(e.getWriteErrors().getFirst().getCode()).isEqualTo(11000));
    }

    @Test
    void aggregatesAndDistinct() {
        collection.insertMany(documents(20));
        assertThat(collection
                        .aggregate(List.of(
                                new Document("$group", new Document("_id", "$a").append("n", new Document("$sum", 1))),
                                new Document("$sort", new Document("_id", 1))))
                        .into(new ArrayList<>()))
                .hasSize(10)
                .first()
                .isEqualTo(new Document("_id", 0).append("n", 2));
        assertThat(collection.distinct("a", Integer.class).into(new ArrayList<>()))
                .hasSize(10);
    }

    @Test
    void indexesAndCollectionsAreManaged() {
        assertThat(collection.createIndex(new Document("a", 1), new IndexOptions().unique(true)))
                .isEqualTo("a_1");
        assertThat(collection.listIndexNames().into(new ArrayList<>())).containsExactly("_id_", "a_1");
        collection.dropIndex("a_1");
        assertThat(collection.listIndexes().into(new ArrayList<>())).hasSize(1);
        assertThat(client.getDatabase("db").listCollectionNames().into(new ArrayList<>()))
                .contains("c");
        assertThat(client.listDatabaseNames().into(new ArrayList<>())).contains("db");
        client.getDatabase("other").createCollection("x");
        client.getDatabase("other").drop();
        assertThat(client.listDatabaseNames().into(new ArrayList<>())).doesNotContain("other");
    }

    @Test
    void commandsRunAsTheyAre() {
        assertThat(client.getDatabase("admin").runCommand(new Document("ping", 1)))
                .containsEntry("ok", 1.0);
        assertThatExceptionOfType(MongoCommandException.class)
                .isThrownBy(() -> client.getDatabase("db").runCommand(new Document("noSuchCommand", 1)))
                .satisfies(e -> assertThat(e.getErrorCodeName()).isEqualTo("CommandNotFound"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"zlib", "snappy", "zstd"})
    void messagesAreCompressed(String compressor) {
        String separator = server.connectionString().contains("?") ? "&" : "?";
        try (var compressed = connect(separator + "compressors=" + compressor)) {
            var its = compressed.getDatabase("db").getCollection("c");
            its.insertMany(documents(500));
            assertThat(its.find().into(new ArrayList<>())).hasSize(500);
        }
    }

    @Test
    void transactionIsSeenByOthersOnlyOnceItIsCommitted() {
        collection.insertOne(new Document("_id", 1));
        try (var session = client.startSession()) {
            session.startTransaction();
            collection.insertOne(session, new Document("_id", 2));
            assertThat(collection.countDocuments(session)).isEqualTo(2);
            assertThat(collection.countDocuments()).isEqualTo(1);
            session.commitTransaction();
            assertThat(collection.countDocuments(session)).isEqualTo(2);
            session.startTransaction();
            collection.deleteMany(session, new Document());
            session.abortTransaction();
        }
        assertThat(collection.countDocuments()).isEqualTo(2);
    }

    @Test
    void withTransactionCommits() {
        collection.insertOne(new Document("_id", 1));
        try (var session = client.startSession()) {
            String answer = session.withTransaction(() -> {
                collection.updateOne(session, new Document("_id", 1), new Document("$set", new Document("x", 1)));
                return "done";
            });
            assertThat(answer).isEqualTo("done");
        }
        assertThat(collection.find().first()).containsEntry("x", 1);
    }

    @Test
    void txnNumbersGrowAcrossPooledSessions() {
        for (int i = 0; i < 3; i++) {
            collection.insertOne(new Document());
        }
        assertThat(started)
                .extracting(each -> each.command().getDocument("lsid"))
                .containsOnly(lsid(0));
        assertThat(started)
                .extracting(each -> each.command().getInt64("txnNumber").getValue())
                .isSorted()
                .doesNotHaveDuplicates();
    }

    private BsonDocument lsid(int index) {
        return started.get(index).command().getDocument("lsid");
    }

    @Test
    void serverThatDoesNotExistIsReportedWithWhatIsKnown() {
        try (var nowhere = MongoClients.create("mongodb://localhost:1/?serverSelectionTimeoutMS=200")) {
            assertThatThrownBy(
                            () -> nowhere.getDatabase("db").getCollection("c").countDocuments())
                    .isInstanceOf(MongoTimeoutException.class)
                    .hasMessageContaining("localhost:1")
                    .hasMessageContaining("Connection refused");
        }
    }
}
