package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.semel.driver.error.MongoWriteConcernException;
import dev.semel.driver.error.MongoWriteException;
import dev.semel.driver.event.CommandStartedEvent;
import dev.semel.driver.model.ClientBulkWriteException;
import dev.semel.driver.model.ClientBulkWriteOptions;
import dev.semel.driver.model.ClientNamespacedWriteModel;
import dev.semel.driver.model.ClientUpdateOneOptions;
import dev.semel.driver.model.IndexOptions;
import dev.semel.driver.model.InsertOneModel;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.MongoNamespace;
import dev.semel.driver.setting.WriteConcern;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes by the ids of the prose tests. Servers with small limits show how bulk writes are split. */
class CrudTest {
    private static final MongoNamespace C = new MongoNamespace("db.coll");
    private static final int MESSAGE_BYTES = 50_000;
    private static final int DOCUMENT_BYTES = 16_000;

    private final List<CommandStartedEvent> started = new CopyOnWriteArrayList<>();
    private RecordingServer server;

    @BeforeEach
    void start() throws IOException {
        server = new RecordingServer();
        limit(MESSAGE_BYTES, DOCUMENT_BYTES, 3);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void limit(int messageBytes, int documentBytes, int batch) {
        server.greet("{ok: 1, helloOk: true, minWireVersion: 0, maxWireVersion: 25, maxBsonObjectSize: " + documentBytes
                + ", maxMessageSizeBytes: " + messageBytes + ", maxWriteBatchSize: " + batch
                + ", setName: 'rs', hosts: ['"
                + server.address() + "'], me: '" + server.address()
                + "', isWritablePrimary: true, logicalSessionTimeoutMinutes: 30}");
    }

    private MongoClient open(String options) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.uri() + options))
                .addCommandListener(TestServer.recorder(started))
                .build());
    }

    private static List<ClientNamespacedWriteModel> inserts(int count) {
        return IntStream.range(0, count)
                .mapToObj(each -> ClientNamespacedWriteModel.insertOne(C, new Document("_id", each)))
                .toList();
    }

    private static String results(int inserted, int errors, String entries, String more) {
        return "{ok: 1, nInserted: " + inserted + ", nUpserted: 0, nMatched: 0, nModified: 0, nDeleted: 0, nErrors: "
                + errors + ", cursor: {id: {$numberLong: '0'}, ns: 'admin.$cmd.bulkWrite', firstBatch: [" + entries
                + "]}" + more + "}";
    }

    private List<Integer> sizes() {
        return server.commands("bulkWrite").stream()
                .map(each -> each.getArray("ops").size())
                .toList();
    }

    /** CRUDP-1. */
    @Test
    void detailsOfWriteConcernErrorAreKept() {
        server.answer((command, count) -> "{ok: 1, n: 1, writeConcernError: {code: 100, codeName:"
                + " 'UnsatisfiableWriteConcern', errmsg: 'not enough', errInfo: {writeConcern: {w: 2, wtimeout: 0}}}}");
        try (var client = open("")) {
            var failure = catchThrowableOfType(
                    MongoWriteConcernException.class,
                    () -> client.getDatabase("db").getCollection("c").insertOne(new Document("_id", 1)));
            assertThat(failure.getWriteConcernError().details())
                    .isEqualTo(BsonDocument.parse("{writeConcern: {w: 2, wtimeout: 0}}"));
        }
    }

    /** CRUDP-2. */
    @Test
    void detailsOfWriteErrorAreThoseOfTheReply() throws IOException {
        try (var real = TestServer.start();
                var client = real.connect("", settings -> {})) {
            var database = client.getDatabase("db");
            database.runCommand(
                    new Document("create", "valid").append("validator", BsonDocument.parse("{x: {$type: 'string'}}")));
            var failure = catchThrowableOfType(
                    MongoWriteException.class,
                    () -> database.getCollection("valid").insertOne(new Document("_id", 1).append("x", 1)));
            assertThat(failure.getCode()).isEqualTo(121);
            assertThat(failure.getError().details().get("failingDocumentId")).isNotNull();
        }
    }

    /** CRUDP-3. */
    @Test
    void bulkWriteOfClientIsSplitAtTheNumberOfStatements() {
        server.answer((command, count) -> results(command.getArray("ops").size(), 0, "", ""));
        try (var client = open("")) {
            assertThat(client.bulkWrite(inserts(4)).getInsertedCount()).isEqualTo(4);
        }
        assertThat(sizes()).containsExactly(3, 1);
        assertThat(started.stream()
                        .filter(each -> each.commandName().equals("bulkWrite"))
                        .map(CommandStartedEvent::operationId)
                        .distinct())
                .hasSize(1);
    }

    /** CRUDP-5. */
    @Test
    void writeConcernErrorsOfAllCommandsAreCollected() {
        server.answer((command, count) -> results(
                command.getArray("ops").size(), 0, "", ", writeConcernError: {code: 91, errmsg: 'going down'}"));
        try (var client = open("&retryWrites=false")) {
            var failure = catchThrowableOfType(ClientBulkWriteException.class, () -> client.bulkWrite(inserts(4)));
            assertThat(failure.getWriteConcernErrors()).hasSize(2);
            assertThat(failure.getPartialResult().orElseThrow().getInsertedCount())
                    .isEqualTo(4);
        }
        assertThat(sizes()).containsExactly(3, 1);
    }

    /** CRUDP-6. */
    @ParameterizedTest
    @CsvSource({"true, 1, 1", "false, 4, 2"})
    void errorsOfAllCommandsAreCollectedUnlessTheOrderCounts(boolean isOrdered, int errors, int commands) {
        server.answer((command, count) -> {
            int sent = command.getArray("ops").size();
            int failed = isOrdered ? 1 : sent;
            var entries = IntStream.range(0, failed)
                    .mapToObj(each -> "{ok: 0, idx: " + each + ", code: 11000, errmsg: 'duplicate', n: 0}")
                    .toList();
            return results(0, failed, String.join(", ", entries), "");
        });
        try (var client = open("")) {
            var failure = catchThrowableOfType(
                    ClientBulkWriteException.class,
                    () -> client.bulkWrite(inserts(4), new ClientBulkWriteOptions().ordered(isOrdered)));
            assertThat(failure.getWriteErrors()).hasSize(errors);
            assertThat(failure.getWriteErrors().keySet())
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, errors).boxed().toList());
        }
        assertThat(server.commands("bulkWrite")).hasSize(commands);
    }

    private static final String FIRST_RESULT =
            "{ok: 1, nInserted: 0, nUpserted: 2, nMatched: 2, nModified: 0, nDeleted: 0, nErrors: 0, cursor: {id:"
                + " {$numberLong: '7'}, ns: 'admin.$cmd.bulkWrite', firstBatch: [{ok: 1, idx: 0, n: 1, nModified: 0,"
                + " upserted: {_id: 'a'}}]}}";
    private static final String SECOND_RESULT = "{ok: 1, cursor: {id: {$numberLong: '0'}, ns: 'admin.$cmd.bulkWrite',"
            + " nextBatch: [{ok: 1, idx: 1, n: 1, nModified: 0, upserted: {_id: 'b'}}]}}";

    private static List<ClientNamespacedWriteModel> upserts() {
        var upsert = new ClientUpdateOneOptions().upsert(true);
        var set = new Document("$set", new Document("x", 1));
        return List.of(
                ClientNamespacedWriteModel.updateOne(C, new Document("_id", "a"), set, upsert),
                ClientNamespacedWriteModel.updateOne(C, new Document("_id", "b"), set, upsert));
    }

    /** CRUDP-7, CRUDP-8. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void resultsThatDoNotFitOneReplyAreFetched(boolean inTransaction) {
        server.answer((command, count) -> switch (command.getFirstKey()) {
            case "bulkWrite" -> FIRST_RESULT;
            case "getMore" -> SECOND_RESULT;
            default -> "{ok: 1}";
        });
        var options = new ClientBulkWriteOptions().verboseResults(true);
        try (var client = open("");
                var session = client.startSession()) {
            if (inTransaction) {
                session.startTransaction();
            }
            var result = client.bulkWrite(session, upserts(), options);
            assertThat(result.getUpsertedCount()).isEqualTo(2);
            assertThat(result.getVerboseResults().orElseThrow().getUpdateResults())
                    .hasSize(2);
        }
        assertThat(server.commands("getMore"))
                .singleElement()
                .satisfies(each -> assertThat(each.containsKey("txnNumber")).isEqualTo(inTransaction));
    }

    /** CRUDP-9. */
    @Test
    void resultsThatCannotBeFetchedAreReportedWithThoseThatWere() {
        server.answer((command, count) -> switch (command.getFirstKey()) {
            case "bulkWrite" -> FIRST_RESULT;
            case "getMore" -> "{ok: 0, code: 8, errmsg: 'no'}";
            default -> "{ok: 1}";
        });
        try (var client = open("")) {
            var failure = catchThrowableOfType(
                    ClientBulkWriteException.class,
                    () -> client.bulkWrite(upserts(), new ClientBulkWriteOptions().verboseResults(true)));
            var partial = failure.getPartialResult().orElseThrow();
            assertThat(partial.getUpsertedCount()).isEqualTo(2);
            assertThat(partial.getVerboseResults().orElseThrow().getUpdateResults())
                    .hasSize(1);
        }
        assertThat(server.commands("getMore")).hasSize(1);
        assertThat(server.commands("killCursors")).hasSize(1);
    }

    /** CRUDP-11.1, CRUDP-11.2: the room that a namespace needs is counted, and only once. */
    @ParameterizedTest
    @CsvSource({"'', 1", "x, 2"})
    void newNamespaceNeedsRoomOfItsOwn(String repeated, int commands) {
        limit(MESSAGE_BYTES, DOCUMENT_BYTES, 100);
        server.answer((command, count) -> results(command.getArray("ops").size(), 0, "", ""));
        // As the specification reckons: 1122 bytes for the command, 57 for a statement, 217 for a namespace of 200
        // letters.
        int left = MESSAGE_BYTES - 1122;
        var models = new ArrayList<ClientNamespacedWriteModel>();
        while (left >= DOCUMENT_BYTES) {
            models.add(insert(C, DOCUMENT_BYTES - 57));
            left -= DOCUMENT_BYTES;
        }
        if (left >= 217) {
            models.add(insert(C, left - 57));
        }
        models.add(insert(repeated.isEmpty() ? C : new MongoNamespace("db." + repeated.repeat(200)), 1));
        try (var client = open("")) {
            assertThat(client.bulkWrite(models).getInsertedCount()).isEqualTo(models.size());
        }
        assertThat(server.commands("bulkWrite")).hasSize(commands);
        if (commands == 2) {
            assertThat(sizes()).containsExactly(models.size() - 1, 1);
            assertThat(server.commands("bulkWrite").get(1).getArray("nsInfo")).hasSize(1);
        }
    }

    private static ClientNamespacedWriteModel insert(MongoNamespace into, int letters) {
        return ClientNamespacedWriteModel.insertOne(into, new Document("a", "b".repeat(letters)));
    }

    /** CRUDP-12.1, CRUDP-12.2. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsLargerThanMessageIsRefusedBeforeItIsSent(boolean isNamespace) {
        var model = isNamespace
                ? insert(new MongoNamespace("db." + "c".repeat(MESSAGE_BYTES)), 1)
                : insert(C, MESSAGE_BYTES);
        try (var client = open("")) {
            var failure = catchThrowableOfType(ClientBulkWriteException.class, () -> client.bulkWrite(List.of(model)));
            assertThat(failure.getPartialResult()).isEmpty();
        }
        assertThat(server.commands("bulkWrite")).isEmpty();
    }

    /** CRUDP-15. */
    @Test
    void unacknowledgedBulkWriteSaysSoInEveryCommand() throws IOException {
        String text = "x".repeat(1_000_000);
        var models = IntStream.range(0, 50)
                .mapToObj(each -> ClientNamespacedWriteModel.insertOne(C, new Document("text", text)))
                .toList();
        try (var real = TestServer.start();
                var client = real.listening("", started)) {
            client.getDatabase("db").createCollection("coll");
            client.bulkWrite(
                    models, new ClientBulkWriteOptions().ordered(false).writeConcern(WriteConcern.UNACKNOWLEDGED));
            Await.until(() -> client.getDatabase("db").getCollection("coll").countDocuments() == 50);
        }
        var sent = started.stream()
                .filter(each -> each.commandName().equals("bulkWrite"))
                .toList();
        assertThat(sent)
                .hasSize(2)
                .allSatisfy(
                        each -> assertThat(each.command().get("writeConcern")).isEqualTo(BsonDocument.parse("{w: 0}")));
        assertThat(sent)
                .extracting(CommandStartedEvent::operationId)
                .containsOnly(sent.getFirst().operationId());
    }

    /** CRUDP-16. */
    @Test
    void generatedIdComesFirst() {
        server.answer((command, count) -> command.containsKey("bulkWrite") ? results(1, 0, "", "") : "{ok: 1, n: 1}");
        var document = new Document("x", 1);
        try (var client = open("")) {
            var collection = client.getDatabase("db").getCollection("c");
            collection.insertOne(new Document(document));
            collection.bulkWrite(List.of(new InsertOneModel<>(new Document(document))));
            client.bulkWrite(List.of(ClientNamespacedWriteModel.insertOne(C, new Document(document))));
        }
        assertThat(server.commands("insert"))
                .hasSize(2)
                .allSatisfy(each -> assertThat(
                                each.getArray("documents").get(0).asDocument().getFirstKey())
                        .isEqualTo("_id"));
        BsonDocument operation =
                server.commands("bulkWrite").getFirst().getArray("ops").get(0).asDocument();
        assertThat(operation.getDocument("document").getFirstKey()).isEqualTo("_id");
    }

    /** TXNP-4. */
    @Test
    void writeConcernOfCollectionIsIgnoredInTransaction() {
        server.answer((command, count) -> "{ok: 1, n: 1}");
        try (var client = open("");
                var session = client.startSession()) {
            var collection = client.getDatabase("db").getCollection("c").withWriteConcern(WriteConcern.UNACKNOWLEDGED);
            session.startTransaction();
            collection.insertOne(session, new Document("_id", 1));
            session.commitTransaction();
        }
        assertThat(server.commands("insert"))
                .singleElement()
                .satisfies(each -> assertThat(each.containsKey("writeConcern")).isFalse());
        assertThat(server.commands("commitTransaction")).hasSize(1);
    }

    /** IDXP-1. */
    @Test
    void everyIndexIsListedOnce() throws IOException {
        try (var real = TestServer.start();
                var client = real.connect("", settings -> {})) {
            var collection = client.getDatabase("db").getCollection("indexed");
            collection.createIndex(new Document("a", 1));
            collection.createIndex(new Document("b", 1).append("c", -1), new IndexOptions().unique(true));
            var found = collection.listIndexes().into(new ArrayList<>());
            assertThat(found).extracting(each -> each.getString("name")).containsExactly("_id_", "a_1", "b_1_c_-1");
            assertThat(found).extracting(each -> each.get("unique")).containsExactly(null, null, true);
            assertThat(found)
                    .extracting(each -> each.get("key"))
                    .containsExactly(
                            new Document("_id", 1), new Document("a", 1), new Document("b", 1).append("c", -1));
        }
    }

    /** A write that cannot be split further is refused by name, also if it is unacknowledged. */
    @Test
    void unacknowledgedStatementThatIsTooLargeIsRefused() {
        try (var client = open("")) {
            assertThatThrownBy(() -> client.bulkWrite(
                            List.of(insert(C, DOCUMENT_BYTES + 1)),
                            new ClientBulkWriteOptions().ordered(false).writeConcern(WriteConcern.UNACKNOWLEDGED)))
                    .isInstanceOf(ClientBulkWriteException.class)
                    .hasMessageContaining("The statement with index 0");
        }
    }
}
