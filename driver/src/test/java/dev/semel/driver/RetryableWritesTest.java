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
import dev.semel.driver.event.CommandSucceededEvent;
import dev.semel.driver.model.BulkWriteOptions;
import dev.semel.driver.model.ClientBulkWriteOptions;
import dev.semel.driver.model.ClientNamespacedWriteModel;
import dev.semel.driver.model.DeleteOneModel;
import dev.semel.driver.model.InsertManyOptions;
import dev.semel.driver.model.InsertOneModel;
import dev.semel.driver.model.MongoBulkWriteException;
import dev.semel.driver.model.UpdateManyModel;
import dev.semel.driver.model.UpdateOneModel;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.WriteConcern;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which writes are sent again, and how, against a real server that fails on demand. */
class RetryableWritesTest {
    private static final Document ONE = new Document("_id", 1);
    private static final Document SET = new Document("$set", new Document("a", 1));
    private static final String CUT = "closeConnection: true";

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
        connect("");
        collection.drop();
        collection.insertOne(new Document("_id", 0));
        started.clear();
    }

    private void connect(String options) {
        if (client != null) {
            client.close();
            started.clear();
        }
        client = server.listening(options, started);
        collection = client.getDatabase("db").getCollection("writes");
    }

    @AfterEach
    void disconnect() {
        server.clearFailPoint();
        client.close();
    }

    private static Map<String, Consumer<MongoCollection<Document>>> singles() {
        var all = new LinkedHashMap<String, Consumer<MongoCollection<Document>>>();
        all.put("insert", c -> c.insertOne(ONE));
        all.put("insert many", c -> c.insertMany(List.of(ONE, new Document("_id", 2))));
        all.put("insert many unordered", c -> c.insertMany(List.of(ONE), new InsertManyOptions().ordered(false)));
        all.put("update", c -> c.updateOne(new Document("_id", 0), SET));
        all.put("update replace", c -> c.replaceOne(new Document("_id", 0), new Document("b", 1)));
        all.put("delete", c -> c.deleteOne(new Document("_id", 0)));
        all.put("findAndModify delete", c -> c.findOneAndDelete(new Document("_id", 0)));
        all.put("findAndModify replace", c -> c.findOneAndReplace(new Document("_id", 0), new Document("b", 1)));
        all.put("findAndModify update", c -> c.findOneAndUpdate(new Document("_id", 0), SET));
        all.put("insert bulk", c -> c.bulkWrite(List.of(new InsertOneModel<>(ONE))));
        return all;
    }

    private void perform(String name) {
        Objects.requireNonNull(singles().get(name)).accept(collection);
    }

    static Stream<String> retryableWrites() {
        return singles().keySet().stream();
    }

    static Stream<Map.Entry<String, Consumer<MongoCollection<Document>>>> others() {
        var all = new LinkedHashMap<String, Consumer<MongoCollection<Document>>>();
        all.put("update", c -> c.updateMany(new Document(), SET));
        all.put("delete", c -> c.deleteMany(new Document()));
        all.put(
                "aggregate",
                c -> c.aggregate(List.of(new Document("$out", "copy"))).toCollection());
        return all.entrySet().stream();
    }

    private static BsonDocument command(CommandStartedEvent event) {
        return event.command();
    }

    @ParameterizedTest
    @MethodSource("retryableWrites")
    void writeCarriesSessionAndPositiveNumber(String name) {
        perform(name);

        assertThat(started).singleElement().satisfies(each -> {
            assertThat(command(each).getDocument("lsid").containsKey("id")).isTrue();
            assertThat(command(each).get("txnNumber")).isInstanceOf(BsonInt64.class);
            assertThat(command(each).getInt64("txnNumber").getValue()).isPositive();
        });
    }

    @ParameterizedTest
    @MethodSource("retryableWrites")
    void retryCarriesTheTransactionIdOfTheFirstAttempt(String name) {
        server.failCommand("{times: 1}", "{failCommands: ['" + name.replaceAll(" .*", "") + "'], " + CUT + "}");

        perform(name);

        assertThat(started).hasSize(2);
        BsonDocument first = command(started.get(0));
        BsonDocument second = command(started.get(1));
        assertThat(second.get("txnNumber")).isEqualTo(first.get("txnNumber"));
        assertThat(second.get("lsid")).isEqualTo(first.get("lsid"));
        assertThat(withoutClusterTime(second)).isEqualTo(withoutClusterTime(first));
        assertThat(started.get(1).operationId()).isEqualTo(started.get(0).operationId());
        assertThat(started.get(1).requestId()).isNotEqualTo(started.get(0).requestId());
        assertThat(started.get(1).connection().id())
                .isNotEqualTo(started.get(0).connection().id());
    }

    @Test
    void writeWhoseAnswerWasLostIsDoneOnce() {
        collection.updateOne(new Document("_id", 0), new Document("$set", new Document("n", 0)));
        for (int i = 0; i < 5; i++) {
            // The write is done; only the answer does not arrive.
            server.failCommand(
                    "{times: 1}",
                    "{failCommands: ['update'], writeConcernError: {code: 91, errmsg: 'x'},"
                            + " errorLabels: ['RetryableWriteError']}");
            var result = collection.updateOne(new Document("_id", 0), new Document("$inc", new Document("n", 1)));
            assertThat(result.getModifiedCount()).isEqualTo(1);
        }
        assertThat(collection.find(new Document("_id", 0)).first()).isEqualTo(new Document("_id", 0).append("n", 5));
    }

    @Test
    void sameTransactionIdGivesTheSameResultAndChangesNothing() {
        var update = new Document("update", "writes")
                .append(
                        "updates",
                        List.of(new Document("q", new Document("_id", 0))
                                .append("u", new Document("$inc", new Document("k", 1)))))
                .append("txnNumber", 1L);
        UUID session = UUID.randomUUID();
        for (int i = 0; i < 3; i++) {
            Document reply = raw(session, update);
            assertThat(reply.get("n")).isEqualTo(1);
            assertThat(reply.get("nModified")).isEqualTo(1);
        }
        assertThat(collection.find(new Document("_id", 0)).first()).isEqualTo(new Document("_id", 0).append("k", 1));
        assertThatExceptionOfType(MongoCommandException.class)
                .isThrownBy(() -> raw(session, new Document(update).append("txnNumber", 0L)))
                .satisfies(e -> assertThat(e.getErrorCodeName()).isEqualTo("TransactionTooOld"));
    }

    /** With the session in the document itself; a command of the driver would bring one of its own. */
    private static Document raw(UUID session, Document command) {
        BsonDocument sent = command.toBsonDocument(Document.class, MongoClientSettings.getDefaultCodecRegistry());
        sent.put("lsid", new BsonDocument("id", new BsonBinary(session)));
        return new RawCommand(server.address()).run("db", sent);
    }

    @Test
    void serverRefusesNumbersOnWritesItCannotRepeat() {
        UUID session = UUID.randomUUID();
        var many = new Document("update", "writes")
                .append(
                        "updates",
                        List.of(new Document("q", new Document())
                                .append("u", SET)
                                .append("multi", true)))
                .append("txnNumber", 1L);
        assertThatExceptionOfType(MongoCommandException.class).isThrownBy(() -> raw(session, many));
        var out = new Document("aggregate", "writes")
                .append("pipeline", List.of(new Document("$out", "copy")))
                .append("cursor", new Document())
                .append("txnNumber", 2L);
        assertThatExceptionOfType(MongoCommandException.class).isThrownBy(() -> raw(session, out));
    }

    @Test
    void numbersGrowAcrossPooledSessions() {
        var numbers = new ArrayList<Long>();
        for (int i = 1; i < 10; i++) {
            // Every operation has an implicit session of its own; all get the same one of the server's.
            collection.insertOne(new Document("_id", i));
            try (var session = client.startSession()) {
                collection.updateOne(session, new Document("_id", i), SET);
            }
        }
        started.forEach(each -> numbers.add(command(each).getInt64("txnNumber").getValue()));

        assertThat(started.stream().map(each -> command(each).get("lsid")).distinct())
                .hasSize(1);
        assertThat(numbers).isSorted().doesNotHaveDuplicates().hasSize(18);
    }

    @Test
    void splitWriteTakesNumberForEachCommandThatMayBeRepeated() {
        collection.bulkWrite(List.of(
                new InsertOneModel<>(ONE),
                new UpdateManyModel<>(new Document(), SET),
                new InsertOneModel<>(new Document("_id", 2)),
                new DeleteOneModel<>(ONE)));

        assertThat(started)
                .extracting(CommandStartedEvent::commandName)
                .containsExactly("insert", "update", "insert", "delete");
        assertThat(command(started.get(1)).containsKey("txnNumber")).isFalse();
        long first = command(started.get(0)).getInt64("txnNumber").getValue();
        assertThat(command(started.get(2)).getInt64("txnNumber").getValue()).isEqualTo(first + 1);
        assertThat(command(started.get(3)).getInt64("txnNumber").getValue()).isEqualTo(first + 2);
    }

    @Test
    void splitWriteStopsWhereRetryFailedAndReportsThePartialResult() {
        server.failCommand("{times: 2}", "{failCommands: ['update'], " + CUT + "}");

        var failure = catchThrowableOfType(
                MongoException.class,
                () -> collection.bulkWrite(
                        List.of(
                                new InsertOneModel<>(ONE),
                                new UpdateOneModel<>(ONE, SET),
                                new DeleteOneModel<>(new Document("_id", 0))),
                        new BulkWriteOptions().ordered(false)));

        assertThat(failure.hasErrorLabel("RetryableWriteError")).isTrue();
        assertThat(MongoBulkWriteException.partialResult(failure))
                .hasValueSatisfying(done -> assertThat(done.getInsertedCount()).isEqualTo(1));
        assertThat(started).extracting(CommandStartedEvent::commandName).containsExactly("insert", "update", "update");
    }

    @ParameterizedTest
    @MethodSource("others")
    void otherWritesHaveNoNumberAndAreNotRepeated(Map.Entry<String, Consumer<MongoCollection<Document>>> write) {
        server.failCommand("{times: 1}", "{failCommands: ['" + write.getKey() + "'], " + CUT + "}");

        assertThatExceptionOfType(MongoException.class)
                .isThrownBy(() -> write.getValue().accept(collection));

        assertThat(started).singleElement().satisfies(each -> {
            assertThat(each.commandName()).isEqualTo(write.getKey());
            assertThat(command(each).containsKey("txnNumber")).isFalse();
        });
    }

    @Test
    void unacknowledgedWriteHasNoNumberAndIsNotRepeated() {
        collection.withWriteConcern(WriteConcern.UNACKNOWLEDGED).insertOne(ONE);

        assertThat(started).singleElement().satisfies(each -> {
            assertThat(command(each).containsKey("txnNumber")).isFalse();
            assertThat(command(each).containsKey("lsid")).isFalse();
        });
    }

    @Test
    void unacknowledgedWriteInSessionIsRefused() {
        var unacknowledged = collection.withWriteConcern(WriteConcern.UNACKNOWLEDGED);
        var models = List.of(ClientNamespacedWriteModel.insertOne(collection.getNamespace(), ONE));
        var options = new ClientBulkWriteOptions().ordered(false).writeConcern(WriteConcern.UNACKNOWLEDGED);
        try (var session = client.startSession()) {
            for (ThrowingCallable each : List.<ThrowingCallable>of(
                    () -> unacknowledged.insertOne(session, ONE),
                    () -> unacknowledged.insertMany(session, List.of(ONE)),
                    () -> unacknowledged.updateMany(session, ONE, new Document("$set", new Document("x", 2))),
                    () -> unacknowledged.findOneAndDelete(session, ONE),
                    () -> client.bulkWrite(session, models, options))) {
                assertThatExceptionOfType(MongoException.class)
                        .isThrownBy(each)
                        .withMessageContaining(
                                "Unacknowledged writes are not supported when using an explicit session");
            }
        }

        assertThat(started).isEmpty();
    }

    @Test
    void genericCommandIsSentAsItIsAndNotRepeated() {
        server.failCommand("{times: 1}", "{failCommands: ['insert'], " + CUT + "}");
        var insert = BsonDocument.parse("{insert: 'writes', documents: [{_id: 7}]}");

        assertThatExceptionOfType(MongoException.class)
                .isThrownBy(() -> client.getDatabase("db").runCommand(insert));

        assertThat(started).singleElement().satisfies(each -> {
            assertThat(command(each).containsKey("txnNumber")).isFalse();
            assertThat(command(each).getArray("documents")).isEqualTo(insert.getArray("documents"));
        });
    }

    @Test
    void optionsAreOnUnlessTheUriSaysOtherwise() {
        assertThat(MongoClientSettings.builder().build().getRetryWrites()).isTrue();
        assertThat(MongoClientSettings.builder().build().getRetryReads()).isTrue();
        var off = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString("mongodb://h/?retryWrites=false&retryReads=false"))
                .build();
        assertThat(off.getRetryWrites()).isFalse();
        assertThat(off.getRetryReads()).isFalse();
    }

    @Test
    void optionsExistOnlyOnTheClient() {
        var names = new ArrayList<String>();
        for (Class<?> type :
                List.of(MongoDatabase.class, MongoCollection.class, FindIterable.class, BulkWriteOptions.class)) {
            Stream.of(type.getMethods()).forEach(each -> names.add(each.getName()));
        }
        assertThat(names).noneMatch(each -> each.toLowerCase(Locale.ROOT).contains("retry"));
    }

    @Test
    void withOptionOffNothingIsAddedAndNothingRepeated() {
        connect("&retryWrites=false");
        server.failCommand("{times: 1}", "{failCommands: ['insert'], " + CUT + "}");

        var failure = catchThrowableOfType(MongoException.class, () -> collection.insertOne(ONE));

        assertThat(failure.hasErrorLabel("RetryableWriteError")).isFalse();
        assertThat(started)
                .singleElement()
                .satisfies(each ->
                        assertThat(command(each).containsKey("txnNumber")).isFalse());
    }

    @Test
    void withOptionOffTheLabelOfTheServerCausesNoRetry() {
        connect("&retryWrites=false");
        server.failCommand(
                "{times: 1}", "{failCommands: ['insert'], errorCode: 91, errorLabels: ['RetryableWriteError']}");

        assertThatExceptionOfType(MongoCommandException.class)
                .isThrownBy(() -> collection.insertOne(ONE))
                .satisfies(e -> assertThat(e.getCode()).isEqualTo(91));

        assertThat(started).hasSize(1);
    }

    @Test
    void onlyTheLabelDecides() {
        server.failCommand("{times: 1}", "{failCommands: ['insert'], errorCode: 91, errorLabels: []}");
        var unlabelled = catchThrowableOfType(MongoCommandException.class, () -> collection.insertOne(ONE));
        assertThat(unlabelled.getCode()).isEqualTo(91);
        assertThat(unlabelled.getErrorLabels()).isEmpty();
        assertThat(started).hasSize(1);

        started.clear();
        server.failCommand(
                "{times: 1}", "{failCommands: ['insert'], errorCode: 112, errorLabels: ['RetryableWriteError']}");
        collection.insertOne(ONE);
        assertThat(started).hasSize(2);
    }

    @Test
    void networkErrorIsLabelledAndTriedOnceMoreOnly() {
        server.failCommand("{times: 5}", "{failCommands: ['insert'], " + CUT + "}");

        var failure = catchThrowableOfType(MongoException.class, () -> collection.insertOne(ONE));

        assertThat(failure.hasErrorLabel("RetryableWriteError")).isTrue();
        assertThat(started).hasSize(2);
    }

    @Test
    void withTimeoutItIsTriedAsOftenAsThereIsTime() {
        server.failCommand("{times: 4}", "{failCommands: ['insert'], " + CUT + "}");

        collection.withTimeout(Duration.ofSeconds(20)).insertOne(ONE);

        assertThat(started).hasSize(5);
        assertThat(started.stream().map(each -> command(each).get("txnNumber")).distinct())
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hello", "saslStart"})
    void handshakeErrorIsLabelledAndRetried(String cut) throws IOException {
        try (var handshake = new HandshakeFault(cut, 1)) {
            handshake.client().getDatabase("db").getCollection("writes").insertOne(ONE);

            assertThat(handshake.cut()).isEqualTo(1);
            assertThat(handshake.failures()).singleElement().satisfies(failure -> {
                assertThat(failure).isInstanceOf(MongoSocketException.class);
                assertThat(failure.hasErrorLabel("RetryableWriteError")).isTrue();
            });
            assertThat(handshake.commands("insert"))
                    .singleElement()
                    .satisfies(each -> assertThat(each.containsKey("txnNumber")).isTrue());
        }
    }

    @Test
    void withOptionOffHandshakeErrorIsNeitherLabelledNorRetried() throws IOException {
        try (var handshake = new HandshakeFault("saslStart", 1, "&retryWrites=false")) {
            assertThatExceptionOfType(MongoSocketException.class)
                    .isThrownBy(() -> handshake
                            .client()
                            .getDatabase("db")
                            .getCollection("writes")
                            .insertOne(ONE))
                    .satisfies(e -> assertThat(e.getErrorLabels()).isEmpty());

            assertThat(handshake.cut()).isEqualTo(1);
            assertThat(handshake.commands("insert")).isEmpty();
        }
    }

    /** Its result is not awaited, so it is unknown whether a second one would be too many. */
    @ParameterizedTest
    @ValueSource(strings = {"hello", "saslStart"})
    void unacknowledgedWriteIsNotRepeatedAfterHandshakeError(String cut) throws IOException {
        try (var handshake = new HandshakeFault(cut, 1)) {
            var collection = handshake
                    .client()
                    .getDatabase("db")
                    .getCollection("writes")
                    .withWriteConcern(WriteConcern.UNACKNOWLEDGED);

            assertThatExceptionOfType(MongoSocketException.class).isThrownBy(() -> collection.insertOne(ONE));

            assertThat(handshake.cut()).isEqualTo(1);
            assertThat(handshake.commands("insert")).isEmpty();
        }
    }

    @Test
    void everyStartedEventHasItsCounterpart() {
        var names = new CopyOnWriteArrayList<String>();
        var listener = new CommandListener() {
            @Override
            public void commandStarted(CommandStartedEvent event) {
                names.add("started " + event.requestId());
            }

            @Override
            public void commandSucceeded(CommandSucceededEvent event) {
                names.add("succeeded " + event.requestId());
            }

            @Override
            public void commandFailed(CommandFailedEvent event) {
                names.add("failed " + event.requestId());
            }
        };
        try (var other = server.connect("", settings -> settings.addCommandListener(listener))) {
            server.failCommand("{times: 1}", "{failCommands: ['insert'], " + CUT + "}");
            other.getDatabase("db").getCollection("writes").insertOne(ONE);
            assertThat(names).hasSize(4);
            assertThat(names.get(1)).isEqualTo(names.get(0).replace("started", "failed"));
            assertThat(names.get(3)).isEqualTo(names.get(2).replace("started", "succeeded"));
        }
    }

    @Test
    void writesInTransactionAreNeitherRetriedNorLabelled() {
        try (var session = client.startSession()) {
            session.startTransaction();
            collection.insertOne(session, ONE);
            server.failCommand("{times: 1}", "{failCommands: ['insert'], " + CUT + "}");
            var failure = catchThrowableOfType(
                    MongoException.class, () -> collection.insertOne(session, new Document("_id", 2)));
            assertThat(failure.getErrorLabels()).containsExactly("TransientTransactionError");
            assertThat(started).hasSize(2);
        }
    }

    @Test
    void commitAndAbortAreRetriedOnceWhateverTheOptionSays() {
        connect("&retryWrites=false");
        try (var session = client.startSession()) {
            session.startTransaction();
            collection.insertOne(session, ONE);
            server.failCommand("{times: 1}", "{failCommands: ['commitTransaction'], " + CUT + "}");
            session.commitTransaction();
            session.startTransaction();
            collection.insertOne(session, new Document("_id", 2));
            server.failCommand("{times: 1}", "{failCommands: ['abortTransaction'], " + CUT + "}");
            session.abortTransaction();
        }
        assertThat(started)
                .extracting(CommandStartedEvent::commandName)
                .containsExactly(
                        "insert",
                        "commitTransaction",
                        "commitTransaction",
                        "insert",
                        "abortTransaction",
                        "abortTransaction");
        assertThat(started.stream()
                        .map(each -> command(each).getInt64("txnNumber").getValue())
                        .toList())
                .containsExactly(1L, 1L, 1L, 2L, 2L, 2L);
        assertThat(collection.countDocuments()).isEqualTo(2);
    }

    /** RWP-3. */
    @Test
    void errorThatMayHaveWrittenOutranksOneThatDidNot() {
        try (var other = server.connect(
                "",
                settings -> settings.addCommandListener(new CommandListener() {
                    @Override
                    public void commandSucceeded(CommandSucceededEvent event) {
                        if (event.commandName().equals("insert")) {
                            server.failCommand(
                                    "{times: 1}",
                                    "{failCommands: ['insert'], errorCode: 10107,"
                                            + " errorLabels: ['RetryableWriteError', 'NoWritesPerformed']}");
                        }
                    }
                }))) {
            server.failCommand(
                    "{times: 1}",
                    "{failCommands: ['insert'], writeConcernError: {code: 91, errmsg: 'x',"
                            + " errorLabels: ['RetryableWriteError']}, errorLabels: ['RetryableWriteError']}");
            assertThatExceptionOfType(MongoException.class)
                    .isThrownBy(() ->
                            other.getDatabase("db").getCollection("writes").insertOne(ONE))
                    .satisfies(e -> assertThat(e.getCode()).isEqualTo(91));
        }
    }

    private static BsonDocument withoutClusterTime(BsonDocument command) {
        var rest = new BsonDocument();
        rest.putAll(command);
        rest.remove("$clusterTime");
        return rest;
    }
}
