package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.FullDocumentBeforeChange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Statements and transactions that write more than a transaction may have in the heap. */
@Timeout(120)
class LargeTransactionTest {
    private static final int DOCUMENTS = 3_000;
    private static final String BYTES_MAX = "2097152";

    @TempDir
    private Path directory;

    private Server server;
    private MongoClient client;
    private MongoDatabase database;
    private MongoCollection<Document> collection;

    @BeforeEach
    void start() throws IOException {
        start(ServerOptions.directory(directory));
    }

    private void start(ServerOptions options) throws IOException {
        server = Server.start(options.replicaSet("rs0").parameters(java.util.Map.of("transactionBytesMax", BYTES_MAX)));
        client = MongoClients.create(server.connectionString());
        database = client.getDatabase("db");
        collection = database.getCollection("c");
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private static List<Document> documents(int from, int to) {
        List<Document> documents = new ArrayList<>();
        for (int i = from; i < to; i++) {
            documents.add(new Document("_id", i).append("n", 0).append("u", i).append("s", "x".repeat(60)));
        }
        return documents;
    }

    private void load() {
        collection.createIndex(Indexes.ascending("n"));
        collection.createIndex(Indexes.descending("u"), new IndexOptions().unique(true));
        insert();
    }

    private void insert() {
        for (int i = 0; i < DOCUMENTS; i += 500) {
            collection.insertMany(documents(i, i + 500));
        }
    }

    private long figure(String name) {
        Document files = client.getDatabase("admin")
                .runCommand(new Document("serverStatus", 1))
                .get("temporaryFiles", Document.class);
        return Objects.requireNonNull(files.getLong(name));
    }

    private void assertValid(int expected) {
        Document validation = database.runCommand(new Document("validate", "c").append("full", true));
        assertThat(validation.getBoolean("valid")).as(validation.toJson()).isTrue();
        assertThat(collection.countDocuments()).isEqualTo(expected);
        assertThat(collection.estimatedDocumentCount()).isEqualTo(expected);
        assertThat(figure("bytes")).isZero();
        assertThat(figure("files")).isZero();
    }

    @Test
    void anUpdateOfAllIsAtomicAndChangesIndexesAndTheLog() {
        database.createCollection("c");
        database.runCommand(
                new Document("collMod", "c").append("changeStreamPreAndPostImages", new Document("enabled", true)));
        load();
        long runs = figure("runs");
        try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> events = collection
                .watch()
                .fullDocumentBeforeChange(FullDocumentBeforeChange.REQUIRED)
                .cursor()) {
            assertThat(collection
                            .updateMany(Filters.empty(), Updates.inc("n", 1))
                            .getModifiedCount())
                    .isEqualTo(DOCUMENTS);
            assertThat(figure("runs")).isGreaterThan(runs);
            Set<Integer> seen = new HashSet<>();
            for (int i = 0; i < DOCUMENTS; i++) {
                ChangeStreamDocument<Document> event = events.next();
                int id = Objects.requireNonNull(event.getDocumentKey())
                        .getInt32("_id")
                        .getValue();
                assertThat(Objects.requireNonNull(event.getUpdateDescription()).getUpdatedFields())
                        .hasToString("{\"n\": 1}");
                assertThat(event.getFullDocumentBeforeChange())
                        .containsEntry("_id", id)
                        .containsEntry("n", 0);
                seen.add(id);
            }
            assertThat(seen).hasSize(DOCUMENTS);
            // Nothing follows but what comes later.
            collection.deleteOne(Filters.eq("_id", 1));
            assertThat(events.next().getOperationTypeString()).isEqualTo("delete");
        }
        assertThat(collection
                        .find(Filters.eq("n", 1))
                        .hint(Indexes.ascending("n"))
                        .into(new ArrayList<>()))
                .hasSize(DOCUMENTS - 1);
        assertValid(DOCUMENTS - 1);
    }

    @Test
    void aStatementThatFailsAtItsEndLeavesNothing() {
        load();
        List<Document> toTheFirst = List.of(new Document(
                "$set",
                new Document("n", 1)
                        .append(
                                "u",
                                new Document(
                                        "$cond",
                                        List.of(new Document("$eq", List.of("$_id", DOCUMENTS - 1)), 0, "$u")))));
        assertThatThrownBy(() -> collection.updateMany(Filters.empty(), toTheFirst))
                .isInstanceOfSatisfying(
                        MongoException.class, e -> assertThat(e.getCode()).isEqualTo(11000));
        assertThat(collection.countDocuments(Filters.eq("n", 0))).isEqualTo(DOCUMENTS);
        assertValid(DOCUMENTS);
    }

    @Test
    void deletesAndOutputStagesAreOfAnySize() {
        load();
        collection.aggregate(List.of(Aggregates.out("copy"))).toCollection();
        assertThat(database.getCollection("copy").countDocuments()).isEqualTo(DOCUMENTS);
        collection.aggregate(List.of(Aggregates.merge("copy"))).toCollection();
        assertThat(database.getCollection("copy").countDocuments()).isEqualTo(DOCUMENTS);
        assertThat(collection.deleteMany(Filters.empty()).getDeletedCount()).isEqualTo(DOCUMENTS);
        assertValid(0);
    }

    @Test
    void aSessionTransactionReadsItsOwnWritesAndCommitsThem() {
        load();
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            collection.updateMany(session, Filters.empty(), Updates.inc("n", 1));
            collection.updateMany(session, Filters.lt("u", DOCUMENTS / 2), Updates.inc("n", 1));
            collection.insertMany(session, documents(DOCUMENTS, DOCUMENTS + 1_000));
            collection.deleteMany(session, Filters.eq("n", 2));
            Document sum = collection
                    .aggregate(
                            session,
                            List.of(Aggregates.group(null, Accumulators.sum("n", "$n"), Accumulators.sum("count", 1))))
                    .first();
            assertThat(sum).containsEntry("n", DOCUMENTS / 2).containsEntry("count", DOCUMENTS / 2 + 1_000);
            assertThat(collection.countDocuments(Filters.eq("n", 0))).isEqualTo(DOCUMENTS);
            session.commitTransaction();
            // Asked again, as a driver does that has lost the answer.
            session.commitTransaction();
        }
        assertThat(collection.countDocuments(Filters.eq("n", 1))).isEqualTo(DOCUMENTS / 2);
        assertValid(DOCUMENTS / 2 + 1_000);
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            collection.updateMany(session, Filters.empty(), Updates.inc("n", 1));
            session.abortTransaction();
        }
        assertThat(collection.countDocuments(Filters.eq("n", 1))).isEqualTo(DOCUMENTS / 2);
        assertValid(DOCUMENTS / 2 + 1_000);
    }

    /** In the other dialect a statement that fails is undone, and the transaction goes on. */
    @Test
    void aStatementOfATransactionIsUndoneAlone() {
        load();
        try (LocalConnection connection = server.connectAsClient()) {
            run(connection, new Document("beginTransaction", 1).append("isolation", "mvcc"));
            update(connection, new Document("$inc", new Document("n", 1)));
            Document refused = run(
                    connection,
                    new Document("insert", "c")
                            .append("documents", documents(2 * DOCUMENTS, 1_000 + 2 * DOCUMENTS))
                            .append("ordered", true));
            assertThat(refused.get("n")).isEqualTo(1_000);
            List<Document> twice = documents(3 * DOCUMENTS, 1_000 + 3 * DOCUMENTS);
            twice.add(new Document("_id", 1));
            run(connection, new Document("insert", "c").append("documents", twice));
            run(connection, new Document("commitTransaction", 1));
        }
        assertThat(collection.countDocuments(Filters.eq("n", 1))).isEqualTo(DOCUMENTS);
        assertThat(collection.countDocuments(Filters.eq("_id", 2 * DOCUMENTS))).isEqualTo(1);
        assertThat(collection.countDocuments(Filters.gte("_id", 3 * DOCUMENTS))).isZero();
        assertValid(DOCUMENTS + 1_000);
    }

    private static void update(LocalConnection connection, Document update) {
        Document statement =
                new Document("q", new Document()).append("u", update).append("multi", true);
        assertThat(run(connection, new Document("update", "c").append("updates", List.of(statement)))
                        .get("n"))
                .isEqualTo(DOCUMENTS);
    }

    private static Document run(LocalConnection connection, Document command) {
        String reply = connection
                .run(dev.semel.wire.bson.Json.parse(command.append("$db", "db").toJson()))
                .toString();
        return Document.parse(reply);
    }

    @Test
    void aRetriedInsertIsDoneOnce() {
        load();
        Document insert = new Document("insert", "c")
                .append("documents", documents(DOCUMENTS, DOCUMENTS + 1_500))
                .append("txnNumber", 1_000L);
        try (ClientSession session = client.startSession()) {
            long runs = figure("runs");
            for (int i = 0; i < 2; i++) {
                assertThat(database.runCommand(session, insert)).containsEntry("n", 1_500);
                assertThat(collection.countDocuments()).isEqualTo(DOCUMENTS + 1_500);
            }
            assertThat(figure("runs")).isGreaterThan(runs);
        }
        assertValid(DOCUMENTS + 1_500);
    }

    /** What each statement takes in the heap beside its document is not what limits a command. */
    @Test
    void aRetriedCommandOfManyKindsIsDoneOnceAndItsStatementsAreNamedInTheLog() {
        load();
        database.createCollection("d");
        List<Document> statements = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            statements.add(new Document("insert", 0)
                    .append("document", new Document("_id", DOCUMENTS + i).append("u", DOCUMENTS + i)));
            statements.add(new Document("update", 0)
                    .append("filter", new Document("_id", i))
                    .append("updateMods", new Document("$inc", new Document("n", 1))));
            statements.add(new Document("insert", 1).append("document", new Document("_id", i)));
        }
        Document command = new Document("bulkWrite", 1)
                .append("ops", statements)
                .append("nsInfo", List.of(new Document("ns", "db.c"), new Document("ns", "db.d")))
                .append("errorsOnly", true)
                .append("txnNumber", 1_000L);
        try (ClientSession session = client.startSession()) {
            for (int i = 0; i < 2; i++) {
                assertThat(client.getDatabase("admin").runCommand(session, command))
                        .containsEntry("nInserted", 4_000)
                        .containsEntry("nModified", 2_000)
                        .containsEntry("nErrors", 0);
            }
        }
        assertThat(database.getCollection("d").countDocuments()).isEqualTo(2_000);
        assertThat(collection.countDocuments(Filters.eq("n", 1))).isEqualTo(2_000);
        List<Document> logged = client.getDatabase("local")
                .getCollection("oplog.rs")
                .aggregate(List.of(
                        Aggregates.match(Filters.eq("txnNumber", 1_000L)), Document.parse("{$unwind: '$o.applyOps'}")))
                .map(each -> each.get("o", Document.class).get("applyOps", Document.class))
                .into(new ArrayList<>());
        assertThat(logged).hasSize(6_000);
        for (int i = 0; i < logged.size(); i++) {
            assertThat(logged.get(i))
                    .containsEntry("stmtId", i)
                    .containsEntry("op", i % 3 == 1 ? "u" : "i")
                    .containsEntry("ns", i % 3 == 2 ? "db.d" : "db.c")
                    .containsEntry("o2", new Document("_id", i % 3 == 0 ? DOCUMENTS + i / 3 : i / 3));
        }
        assertValid(DOCUMENTS + 2_000);
    }

    @Test
    void dataInMemoryKeepsItsLimit() throws IOException {
        stop();
        start(ServerOptions.memory());
        insert();
        assertThatThrownBy(() -> collection.updateMany(Filters.empty(), Updates.set("s", "y".repeat(1_000))))
                .isInstanceOfSatisfying(
                        MongoException.class, e -> assertThat(e.getCode()).isEqualTo(257))
                .hasMessageContaining("transactionBytesMax");
    }

    @Test
    void withoutRoomForTemporaryFilesItIsRefused() {
        load();
        client.getDatabase("admin").runCommand(new Document("setParameter", 1).append("temporaryFileBytesMax", 1_000));
        assertThatThrownBy(() -> collection.updateMany(Filters.empty(), Updates.inc("n", 1)))
                .isInstanceOfSatisfying(
                        MongoException.class, e -> assertThat(e.getCode()).isEqualTo(14031))
                .hasMessageContaining("temporaryFileBytesMax");
        assertThat(collection.countDocuments(Filters.eq("n", 0))).isEqualTo(DOCUMENTS);
        assertValid(DOCUMENTS);
    }
}
