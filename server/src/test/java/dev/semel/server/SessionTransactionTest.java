package dev.semel.server;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.TransactionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transactions as applications run them, through the official driver. */
class SessionTransactionTest {
    private Server server;
    private MongoClient client;
    private MongoCollection<Document> things;

    @BeforeEach
    void start() throws IOException {
        server = Server.start(ServerOptions.memory());
        client = MongoClients.create(server.connectionString());
        things = client.getDatabase("db").getCollection("things");
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private void parameter(String name, Object value) {
        client.getDatabase("admin").runCommand(new Document("setParameter", 1).append(name, value));
    }

    private void failPoint(Object mode, Document data) {
        client.getDatabase("admin")
                .runCommand(new Document("configureFailPoint", "failCommand")
                        .append("mode", mode)
                        .append("data", data));
    }

    private Document counts() {
        return client.getDatabase("admin")
                .runCommand(new Document("serverStatus", 1))
                .get("transactions", Document.class);
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("time has run out").isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    @Test
    void conflictingTransactionsAreRetriedUntilEachHasHappenedOnce() throws Exception {
        things.insertMany(List.of(new Document("_id", 1).append("n", 0), new Document("_id", 2).append("n", 0)));
        AtomicInteger attempts = new AtomicInteger();
        try (var threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                running.add(threads.submit(() -> {
                    try (ClientSession session = client.startSession()) {
                        for (int n = 0; n < 10; n++) {
                            session.withTransaction(() -> {
                                attempts.incrementAndGet();
                                int has = requireNonNull(things.find(session, eq("_id", 1))
                                                .first())
                                        .getInteger("n");
                                things.updateOne(
                                        session, eq("_id", 1), new Document("$set", new Document("n", has + 1)));
                                return things.updateOne(session, eq("_id", 2), inc("n", -1));
                            });
                        }
                    }
                }));
            }
            for (Future<?> each : running) {
                each.get(60, TimeUnit.SECONDS);
            }
        }
        assertThat(things.find())
                .containsExactly(new Document("_id", 1).append("n", 40), new Document("_id", 2).append("n", -40));
        Document counts = counts();
        assertThat(counts.getLong("totalCommitted")).isEqualTo(40);
        assertThat(counts.getLong("totalStarted")).isEqualTo(attempts.get());
        assertThat(counts.getLong("totalAborted")).isEqualTo(attempts.get() - 40);
        assertThat(counts.getLong("currentOpen")).isZero();
    }

    @Test
    void aTransactionMayBeLargerThanADocument() {
        things.insertOne(new Document("_id", -1));
        String text = "x".repeat(7 << 20);
        try (ClientSession session = client.startSession()) {
            session.withTransaction(() -> {
                for (int i = 0; i < 5; i++) {
                    things.insertOne(session, new Document("_id", i).append("text", text));
                }
                assertThat(things.countDocuments(session)).isEqualTo(6);
                assertThat(things.countDocuments()).isEqualTo(1);
                return null;
            });
        }
        assertThat(things.countDocuments()).isEqualTo(6);
    }

    @Test
    void aCommitWhoseAnswerIsLostHappensOnce() {
        things.insertOne(new Document("_id", 1).append("n", 0));
        failPoint(
                new Document("times", 1),
                new Document("failCommands", List.of("commitTransaction"))
                        .append("closeConnection", true)
                        .append("phase", "afterApply"));
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            things.updateOne(session, eq("_id", 1), inc("n", 1));
            // The driver sends it again, on another connection.
            session.commitTransaction();
            session.commitTransaction();
        }
        assertThat(things.find().first()).containsEntry("n", 1);
        assertThat(counts().getLong("totalCommitted")).isEqualTo(1);
    }

    @Test
    void aTransactionThatIsLeftOpenEnds() {
        things.insertOne(new Document("_id", 1).append("n", 0));
        parameter("transactionLifetimeLimitSeconds", 1);
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            things.updateOne(session, eq("_id", 1), inc("n", 1));
            assertThat(counts().getLong("currentInactive")).isEqualTo(1);
            await(() -> counts().getLong("currentOpen") == 0);
            assertThatThrownBy(() -> things.updateOne(session, eq("_id", 1), inc("n", 1)))
                    .isInstanceOfSatisfying(MongoException.class, e -> {
                        assertThat(e.getCode()).isEqualTo(251);
                        assertThat(e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL))
                                .isTrue();
                    });
        }
        // What it had locked is free.
        things.updateOne(eq("_id", 1), inc("n", 5));
        assertThat(things.find().first()).containsEntry("n", 5);
    }

    @Test
    void whatRunsInATransactionEndsWithIt() {
        things.insertOne(new Document("_id", 1).append("n", 0));
        parameter("transactionLifetimeLimitSeconds", 1);
        failPoint(
                new Document("times", 1),
                new Document("failCommands", List.of("update"))
                        .append("blockConnection", true)
                        .append("blockTimeMS", 600_000));
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            assertThatThrownBy(() -> things.updateOne(session, eq("_id", 1), inc("n", 1)))
                    .isInstanceOfSatisfying(
                            MongoCommandException.class,
                            e -> assertThat(e.getErrorCodeName()).isEqualTo("TransactionExceededLifetimeLimitSeconds"));
        }
        await(() -> counts().getLong("currentOpen") == 0);
    }

    @Test
    void aKilledSessionEndsWhatRunsInItsTransaction() throws Exception {
        things.insertOne(new Document("_id", 1).append("n", 0));
        failPoint(
                new Document("times", 1),
                new Document("failCommands", List.of("update"))
                        .append("blockConnection", true)
                        .append("blockTimeMS", 600_000));
        try (ClientSession session = client.startSession();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            session.startTransaction();
            things.find(session).first();
            var blocked = threads.submit(() -> things.updateOne(session, eq("_id", 1), inc("n", 1)));
            await(() -> counts().getLong("currentActive") == 1);
            Document operation = client.getDatabase("admin")
                    .aggregate(List.of(
                            new Document("$currentOp", new Document()),
                            new Document("$match", new Document("command.update", "things"))))
                    .first();
            assertThat(requireNonNull(operation)
                            .get("transaction", Document.class)
                            .getEmbedded(List.of("parameters", "txnNumber"), Long.class))
                    .isPositive();
            client.getDatabase("admin")
                    .runCommand(new Document(
                            "killSessions", List.of(session.getServerSession().getIdentifier())));
            assertThatThrownBy(() -> blocked.get(20, TimeUnit.SECONDS)).hasMessageContaining("interrupted");
            await(() -> counts().getLong("currentOpen") == 0);
        }
    }

    @Test
    void aSessionThatEndsBetweenCommandsTakesItsTransactionWithIt() {
        things.insertOne(new Document("_id", 1).append("n", 0));
        ClientSession session = client.startSession();
        session.startTransaction();
        things.updateOne(session, eq("_id", 1), inc("n", 1));
        // The driver aborts what is open.
        session.close();
        assertThat(counts().getLong("currentOpen")).isZero();
        things.updateOne(eq("_id", 1), inc("n", 1));
        assertThat(things.find().first()).containsEntry("n", 1);
    }

    @Test
    void aPlainWriteWaitsForATransactionAndATransactionNeverWaits() throws Exception {
        things.insertOne(new Document("_id", 1).append("n", 0));
        try (ClientSession session = client.startSession();
                ClientSession second = client.startSession();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            session.startTransaction();
            things.updateOne(session, eq("_id", 1), inc("n", 1));
            second.startTransaction();
            assertThatThrownBy(() -> things.updateOne(second, eq("_id", 1), inc("n", 1)))
                    .isInstanceOfSatisfying(
                            MongoException.class, e -> assertThat(e.getCode()).isEqualTo(112));
            var waiting = threads.submit(() -> things.updateOne(eq("_id", 1), inc("n", 1)));
            await(() -> client.getDatabase("admin")
                            .runCommand(new Document("serverStatus", 1))
                            .getEmbedded(List.of("globalLock", "currentQueue", "writers"), Integer.class)
                    == 1);
            session.commitTransaction();
            assertThat(waiting.get(20, TimeUnit.SECONDS).getModifiedCount()).isEqualTo(1);
        }
        assertThat(things.find().first()).containsEntry("n", 2);
    }

    @Test
    void commitTimeoutsAreTheDriversToRetry() {
        things.insertOne(new Document("_id", 1).append("n", 0));
        failPoint(
                new Document("times", 1),
                new Document("failCommands", List.of("commitTransaction"))
                        .append("writeConcernError", new Document("code", 64).append("errmsg", "slow")));
        try (ClientSession session = client.startSession()) {
            session.withTransaction(
                    () -> things.updateOne(session, eq("_id", 1), inc("n", 1)),
                    TransactionOptions.builder()
                            .maxCommitTime(Duration.ofSeconds(10).toMillis(), TimeUnit.MILLISECONDS)
                            .build());
        }
        assertThat(things.find().first()).containsEntry("n", 1);
    }
}
