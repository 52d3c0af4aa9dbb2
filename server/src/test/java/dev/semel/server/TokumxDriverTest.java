package dev.semel.server;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.MongoWriteException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transactions of TokuMX's dialect through the official driver: a session that is passed to every operation. */
class TokumxDriverTest {
    /** A conflict with the snapshot, a lock not granted in time, a deadlock: the same transaction may succeed next time. */
    private static final Set<Integer> AGAIN = Set.of(112, 16759, 16760);

    private Server server;
    private MongoClient client;
    private MongoDatabase database;
    private MongoCollection<Document> accounts;

    @BeforeEach
    void start() throws IOException {
        server = Server.start(ServerOptions.memory());
        client = MongoClients.create(server.connectionString());
        database = client.getDatabase("bank");
        accounts = database.getCollection("accounts");
        accounts.insertMany(List.of(account("a", 100), account("b", 100)));
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private static Document account(String id, int balance) {
        return new Document("_id", id).append("balance", balance);
    }

    private void begin(ClientSession session, String isolation) {
        database.runCommand(session, new Document("beginTransaction", 1).append("isolation", isolation));
    }

    private void commit(ClientSession session) {
        database.runCommand(session, new Document("commitTransaction", 1));
    }

    private void rollback(ClientSession session) {
        database.runCommand(session, new Document("rollbackTransaction", 1));
    }

    /** Runs a transaction until it comes through. */
    private void inTransaction(String isolation, Consumer<ClientSession> work) {
        try (ClientSession session = client.startSession()) {
            while (true) {
                begin(session, isolation);
                try {
                    work.accept(session);
                    commit(session);
                    return;
                } catch (MongoException e) {
                    rollback(session);
                    if (!AGAIN.contains(e.getCode())) {
                        throw e;
                    }
                }
            }
        }
    }

    private int balance(ClientSession session, String account) {
        Document found = accounts.find(session, eq("_id", account)).first();
        return Objects.requireNonNull(found).getInteger("balance");
    }

    @Test
    void transferHappensAsAWholeOrNotAtAll() {
        try (ClientSession session = client.startSession()) {
            begin(session, "mvcc");
            accounts.updateOne(session, eq("_id", "a"), inc("balance", -30));
            accounts.updateOne(session, eq("_id", "b"), inc("balance", 30));
            assertThat(accounts.find().into(new ArrayList<>()))
                    .extracting(each -> each.getInteger("balance"))
                    .containsExactly(100, 100);
            rollback(session);
            begin(session, "mvcc");
            accounts.updateOne(session, eq("_id", "a"), inc("balance", -30));
            accounts.updateOne(session, eq("_id", "b"), inc("balance", 30));
            commit(session);
        }
        assertThat(accounts.find().into(new ArrayList<>()))
                .extracting(each -> each.getInteger("balance"))
                .containsExactly(70, 130);
    }

    @Test
    void reportSeesOneInstantOfSeveralCollections() {
        MongoCollection<Document> bookings = database.getCollection("bookings");
        bookings.insertOne(new Document("_id", 0));
        try (ClientSession report = client.startSession()) {
            begin(report, "mvcc");
            inTransaction("mvcc", session -> {
                bookings.insertOne(session, new Document("_id", 1));
                accounts.updateOne(session, eq("_id", "a"), inc("balance", 5));
            });
            assertThat(bookings.countDocuments(report)).isEqualTo(1);
            assertThat(balance(report, "a")).isEqualTo(100);
            commit(report);
            assertThat(bookings.countDocuments(report)).isEqualTo(2);
        }
    }

    @Test
    void errorEndsItsStatementAndNotTheTransaction() {
        try (ClientSession session = client.startSession()) {
            begin(session, "mvcc");
            accounts.insertOne(session, account("c", 1));
            assertThatThrownBy(() -> accounts.insertOne(session, account("a", 1)))
                    .isInstanceOf(MongoWriteException.class);
            accounts.insertOne(session, account("d", 1));
            commit(session);
        }
        assertThat(accounts.countDocuments()).isEqualTo(4);
    }

    @Test
    void changesComputedFromReadsAreNotLost() throws Exception {
        for (String isolation : List.of("serializable", "mvcc")) {
            accounts.updateOne(eq("_id", "a"), set("balance", 0));
            atOnce(4, () -> {
                for (int i = 0; i < 5; i++) {
                    inTransaction(
                            isolation,
                            session -> accounts.updateOne(
                                    session, eq("_id", "a"), set("balance", balance(session, "a") + 1)));
                }
            });
            assertThat(accounts.find(eq("_id", "a")).first()).containsEntry("balance", 20);
        }
    }

    /** The rule that two documents must obey together: of the two withdrawals one finds that there is not enough. */
    @Test
    void rulesOverSeveralDocumentsHoldWhenSerializable() throws Exception {
        List<String> own = List.of("a", "b");
        atOnce(
                2,
                number -> inTransaction("serializable", session -> {
                    int together = balance(session, "a") + balance(session, "b");
                    if (together >= 150) {
                        accounts.updateOne(session, eq("_id", own.get(number)), inc("balance", -150));
                    }
                }));
        assertThat(accounts.find(gte("balance", -150)).into(new ArrayList<>()).stream()
                        .mapToInt(each -> each.getInteger("balance"))
                        .sum())
                .isEqualTo(50);
    }

    /** An order has its own number; whoever does not know whether it went through sends it again. */
    @Test
    void orderThatIsSentAgainHappensOnce() {
        MongoCollection<Document> orders = database.getCollection("orders");
        Consumer<ClientSession> order = session -> {
            orders.insertOne(session, new Document("_id", "order-1"));
            accounts.updateOne(session, eq("_id", "a"), inc("balance", -10));
        };
        inTransaction("mvcc", order);
        assertThatThrownBy(() -> inTransaction("mvcc", order))
                .isInstanceOfSatisfying(
                        MongoWriteException.class, e -> assertThat(e.getCode()).isEqualTo(11000));
        assertThat(accounts.find(eq("_id", "a")).first()).containsEntry("balance", 90);
    }

    @Test
    void sessionThatEndsRollsBack() {
        try (ClientSession session = client.startSession()) {
            begin(session, "mvcc");
            accounts.insertOne(session, account("c", 1));
            client.getDatabase("admin")
                    .runCommand(new Document(
                            "endSessions",
                            List.of(new Document(
                                    "id",
                                    session.getServerSession().getIdentifier().get("id")))));
        }
        assertThat(accounts.countDocuments()).isEqualTo(2);
        accounts.insertOne(account("c", 2));
    }

    // ---- several at once

    private interface Numbered {
        void run(int number);
    }

    private static void atOnce(int count, Runnable work) throws Exception {
        atOnce(count, number -> work.run());
    }

    private static void atOnce(int count, Numbered work) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                all.add(threads.submit(() -> work.run(number)));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
    }
}
