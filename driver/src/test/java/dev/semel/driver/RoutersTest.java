package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoSocketException;
import dev.semel.driver.event.ConnectionPoolEvent;
import dev.semel.driver.model.Updates;
import dev.semel.driver.setting.ConnectionString;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions on a cluster with two routers: each stays on the one it began on, and the next is free again. */
class RoutersTest {
    private static final String FOUND = "{ok: 1, cursor: {id: {$numberLong: '0'}, ns: 'db.c', firstBatch: []}}";
    private static final String DONE = "{ok: 1, n: 1}";

    private RecordingServer one;
    private RecordingServer other;
    private MongoClient client;

    @BeforeEach
    void start() throws IOException {
        one = RecordingServer.router();
        other = RecordingServer.router();
        answer(command -> DONE);
        client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString("mongodb://" + one.address() + "," + other.address()
                        + "/?serverMonitoringMode=poll&heartbeatFrequencyMS=10000&localThresholdMS=10000"))
                .build());
        // A client that does not know one of them yet uses the other.
        Await.until(() -> client.getClusterDescription().servers().stream()
                .allMatch(each -> each.type().isDataBearing()));
    }

    @AfterEach
    void stop() {
        client.close();
        one.close();
        other.close();
    }

    private void answer(Function<BsonDocument, @Nullable String> script) {
        Stream.of(one, other).forEach(each -> each.answer((command, count) -> script.apply(command)));
    }

    private MongoCollection<Document> collection() {
        return client.getDatabase("db").getCollection("c");
    }

    private List<BsonDocument> commands(String name) {
        return Stream.of(one, other)
                .flatMap(each -> each.commands(name).stream())
                .toList();
    }

    private RecordingServer whereIs(String command) {
        return one.commands(command).isEmpty() ? other : one;
    }

    /** TXNP-1: the next transaction is not bound to the router of the one before. */
    @Test
    void transactionsUseBothRoutersButEachOnlyOne() {
        try (var session = client.startSession()) {
            for (int i = 0; i < 50; i++) {
                session.startTransaction();
                collection().insertOne(session, new Document("_id", i));
                collection().insertOne(session, new Document("_id", -i));
                session.commitTransaction();
            }
        }
        assertThat(one.commands("commitTransaction")).isNotEmpty();
        assertThat(other.commands("commitTransaction")).isNotEmpty();
        for (RecordingServer each : List.of(one, other)) {
            List<Long> committed = numbers(each, "commitTransaction");
            assertThat(numbers(each, "insert"))
                    .containsExactlyElementsOf(committed.stream()
                            .flatMap(number -> Stream.of(number, number))
                            .toList());
        }
    }

    private static List<Long> numbers(RecordingServer server, String command) {
        return server.commands(command).stream()
                .map(each -> each.getInt64("txnNumber").getValue())
                .toList();
    }

    /** TXNP-2: an operation that is no part of a transaction frees the session. */
    @Test
    void operationsAfterTransactionUseBothRouters() {
        answer(command -> command.getFirstKey().equals("find") ? FOUND : DONE);
        try (var session = client.startSession()) {
            session.startTransaction();
            collection().insertOne(session, new Document("_id", 1));
            session.commitTransaction();
            for (int i = 0; i < 50; i++) {
                collection().find(session).first();
            }
        }
        assertThat(one.commands("find")).isNotEmpty();
        assertThat(other.commands("find")).isNotEmpty();
    }

    @Test
    void newestRecoveryTokenTravelsWithCommitAndAbort() {
        try (var session = client.startSession()) {
            session.startTransaction();
            answer(command -> token(command, "old"));
            collection().insertOne(session, new Document("_id", 1));
            answer(command -> token(command, "new"));
            collection().insertOne(session, new Document("_id", 2));
            session.commitTransaction();
            session.commitTransaction();

            session.startTransaction();
            collection().insertOne(session, new Document("_id", 3));
            session.abortTransaction();
            session.startTransaction();
            session.commitTransaction();
        }
        var expected = BsonDocument.parse("{recoveryShardId: 'new'}");
        assertThat(commands("commitTransaction"))
                .hasSize(2)
                .allSatisfy(each -> assertThat(each.get("recoveryToken")).isEqualTo(expected));
        assertThat(commands("abortTransaction"))
                .singleElement()
                .satisfies(each -> assertThat(each.get("recoveryToken")).isEqualTo(expected));
    }

    private static String token(BsonDocument command, String name) {
        return command.getFirstKey().equals("insert")
                ? "{ok: 1, n: 1, recoveryToken: {recoveryShardId: '" + name + "'}}"
                : DONE;
    }

    @ParameterizedTest
    @ValueSource(strings = {"commitTransaction", "abortTransaction"})
    void endIsRepeatedOnTheOtherRouter(String end) {
        answer(command -> {
            boolean isFirst = commands(end).size() == 1;
            return command.getFirstKey().equals(end) && isFirst ? null : token(command, "t");
        });
        try (var session = client.startSession()) {
            session.startTransaction();
            collection().insertOne(session, new Document("_id", 1));
            if (end.equals("commitTransaction")) {
                session.commitTransaction();
            } else {
                session.abortTransaction();
            }
        }
        assertThat(one.commands(end)).hasSize(1);
        assertThat(other.commands(end)).hasSize(1);
        assertThat(commands(end))
                .allSatisfy(each ->
                        assertThat(each.get("recoveryToken")).isEqualTo(BsonDocument.parse("{recoveryShardId: 't'}")));
    }

    @Test
    void lostTransactionIsAbortedWithoutWaitingForItsRouter() {
        answer(command -> command.getFirstKey().equals("insert") ? null : DONE);
        try (var session = client.startSession()) {
            session.startTransaction();
            assertThatThrownBy(() -> collection().insertOne(session, new Document("_id", 1)))
                    .isInstanceOf(MongoSocketException.class)
                    .satisfies(e -> assertThat(((MongoException) e).getErrorLabels())
                            .contains(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL));
            RecordingServer lost = whereIs("insert");
            lost.close();
            session.abortTransaction();
            assertThat((lost == one ? other : one).commands("abortTransaction")).hasSize(1);
        }
    }

    @Test
    void errorThatLeavesTheTransactionOpenLeavesItWhereItIs() {
        answer(command -> command.getFirstKey().equals("find") ? "{ok: 0, code: 51, errmsg: 'no'}" : DONE);
        for (int i = 0; i < 10; i++) {
            try (var session = client.startSession()) {
                session.startTransaction();
                collection().insertOne(session, new Document("_id", i));
                assertThatThrownBy(() -> collection().find(session).first()).isInstanceOf(MongoCommandException.class);
                session.commitTransaction();
            }
        }
        for (RecordingServer each : List.of(one, other)) {
            assertThat(each.commands("find")).hasSameSizeAs(each.commands("insert"));
            assertThat(each.commands("commitTransaction")).hasSameSizeAs(each.commands("insert"));
        }
    }

    /** RR-42: who waited for a connection when the pool was cleared has not met its router, which may serve the retry. */
    @Test
    void clearedPoolIsNoReasonToAvoidItsRouter() throws Exception {
        var waiting = new CountDownLatch(2);
        answer(command -> {
            if (!command.getFirstKey().equals("update")) {
                return DONE;
            }
            awaitAll(waiting);
            return null;
        });
        var settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString("mongodb://" + one.address() + "," + other.address()
                        + "/?serverMonitoringMode=poll&maxPoolSize=1&serverSelectionTimeoutMS=10000"))
                .applyToClusterSettings(cluster -> cluster.serverSelector(suitable -> suitable.servers().stream()
                        .filter(each -> each.address().equals(one.address()))
                        .toList()))
                .applyToConnectionPoolSettings(pools -> pools.addConnectionPoolListener(event -> {
                    if (event instanceof ConnectionPoolEvent.CheckOutStarted) {
                        waiting.countDown();
                    }
                }))
                .build();
        try (MongoClient narrow = MongoClients.create(settings);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Await.until(() -> narrow.getClusterDescription().servers().stream()
                    .allMatch(each -> each.type().isDataBearing()));
            var collection = narrow.getDatabase("db").getCollection("c");
            // Its connection is lost, and it cannot be retried.
            var lost = threads.submit(() -> collection.updateMany(new Document(), Updates.set("a", 1)));
            Await.until(() -> one.commands("update").size() == 1);
            var waited = threads.submit(() -> collection.insertOne(new Document("_id", 1)));
            waited.get();
            assertThatThrownBy(lost::get).hasCauseInstanceOf(MongoSocketException.class);
        }
        assertThat(one.commands("insert")).hasSize(1);
        assertThat(other.commands("insert")).isEmpty();
    }

    private static void awaitAll(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
