package dev.semel.blackpipe.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoSocketException;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.UpdateOptions;
import dev.semel.blackpipe.PyMongo;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Ways to count to one, and what becomes of each when something goes wrong. */
class AuditTest {
    private static final Document DAY = new Document("_id", "day");
    private static final Document INCREMENT = new Document("$inc", new Document("counter", 1));

    private static Server server;

    @BeforeAll
    static void serve() throws IOException {
        server = Server.start(ServerOptions.memory());
    }

    @AfterAll
    static void end() {
        server.close();
    }

    private static Audit audit(Operation operation) {
        return Audit.of(operation)
                .invariant(AuditTest::counter)
                .target(server.connectionString())
                .selectionTimeout(Duration.ofMillis(1200))
                .parallel(5)
                .withoutBackground();
    }

    private static String database(String uri) {
        return Objects.requireNonNull(new com.mongodb.ConnectionString(uri).getDatabase());
    }

    private static long counter(String uri) {
        try (var client = MongoClients.create(uri)) {
            Document day = client.getDatabase(database(uri))
                    .getCollection("days")
                    .find(DAY)
                    .first();
            return day == null ? 0 : day.getInteger("counter");
        }
    }

    private static void increment(String uri, int attempts) {
        try (var client = MongoClients.create(uri)) {
            var days = client.getDatabase(database(uri)).getCollection("days");
            for (int i = 1; ; i++) {
                try {
                    days.updateOne(DAY, INCREMENT, new UpdateOptions().upsert(true));
                    return;
                } catch (MongoSocketException e) {
                    if (i == attempts) {
                        throw e;
                    }
                }
            }
        }
    }

    /** Each fault point whose verdict is not "correct", with that verdict. */
    private static Map<String, String> wrong(AuditReport report) {
        Map<String, String> wrong = new TreeMap<>();
        for (Finding each : report.findings()) {
            if (each.verdict() != Verdict.CORRECT) {
                wrong.put(each.point().toString(), each.verdict().label());
            }
        }
        return wrong;
    }

    @Test
    void naiveRetryOvercountsWhereTheReplyIsLostAndNowhereElse() throws Exception {
        var report = audit(uri -> increment(uri + "&retryWrites=false", 2)).run();
        assertThat(report.findings()).hasSize(5);
        assertThat(wrong(report))
                .containsExactly(Map.entry("update days, transient error, applied, reply lost", "may overcount"));
        assertThat(report.findings())
                .filteredOn(each -> each.verdict() == Verdict.MAY_OVERCOUNT)
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.applied()).isEqualTo(2);
                    assertThat(each.attempts()).isEqualTo(2);
                    assertThat(each.advice()).contains("the answer was lost");
                });
    }

    @Test
    void noRetryUndercountsWhereTheServerDidNotGetItAndNowhereElse() throws Exception {
        var report = audit(uri -> increment(uri + "&retryWrites=false", 1)).run();
        assertThat(wrong(report))
                .containsExactly(Map.entry("update days, transient error, not received", "may undercount"));
    }

    @Test
    void retryableWritesOfTheOfficialDriverAreCorrect() throws Exception {
        var report = audit(uri -> increment(uri, 1)).run();
        assertThat(wrong(report)).isEmpty();
        assertThat(report.isCorrect()).isTrue();
    }

    @Test
    void retryableWritesOfOurDriverAreCorrect() throws Exception {
        var report = audit(uri -> {
                    try (var client = dev.semel.driver.MongoClients.create(uri)) {
                        client.getDatabase(database(uri))
                                .getCollection("days")
                                .updateOne(DAY, INCREMENT, new dev.semel.driver.model.UpdateOptions().upsert(true));
                    }
                })
                .run();
        assertThat(wrong(report)).isEmpty();
    }

    @Test
    void retryableWritesOfPyMongoAreCorrect() throws Exception {
        PyMongo.assume();
        var report = audit(uri -> {
                    String said = PyMongo.run("""
                        import sys, pymongo
                        days = pymongo.MongoClient(sys.argv[1]).get_default_database().days
                        days.update_one({"_id": "day"}, {"$inc": {"counter": 1}}, upsert=True)
                        print("done")
                        """, uri);
                    if (!said.equals("done")) {
                        throw new IllegalStateException(said);
                    }
                })
                .selectionTimeout(Duration.ofSeconds(2))
                .run();
        assertThat(wrong(report)).isEmpty();
    }

    @Test
    void whoeverTriesForEverWastesTime() throws Exception {
        var report = audit(uri -> {
                    try (var client = MongoClients.create(uri + "&retryWrites=false")) {
                        var days = client.getDatabase(database(uri)).getCollection("days");
                        boolean done = false;
                        while (!done) {
                            try {
                                days.updateOne(DAY, INCREMENT, new UpdateOptions().upsert(true));
                                done = true;
                            } catch (MongoException e) {
                                // Again, whatever it was, until somebody interrupts.
                                done = e instanceof MongoInterruptedException;
                            }
                        }
                    }
                })
                .limit(Duration.ofSeconds(5))
                .run();
        assertThat(wrong(report))
                .containsExactly(
                        Map.entry("update days, command error, refused", "wastes time"),
                        Map.entry("update days, outage, applied, reply lost", "wastes time"),
                        Map.entry("update days, outage, not received", "wastes time"),
                        Map.entry("update days, transient error, applied, reply lost", "may overcount"));
    }

    @Test
    void ignoredErrorIsALostWrite() throws Exception {
        var report = audit(uri -> {
                    try {
                        increment(uri, 1);
                    } catch (MongoException e) {
                        // Nobody is told.
                    }
                })
                .run();
        assertThat(wrong(report))
                .containsExactly(
                        Map.entry("update days, command error, refused", "may undercount"),
                        Map.entry("update days, outage, not received", "may undercount"));
    }

    @Test
    void operationThatDoesSomethingElseEachTimeIsNonDeterministic() throws Exception {
        var runs = new AtomicInteger();
        var report = audit(uri -> {
                    increment(uri, 1);
                    try (var client = MongoClients.create(uri)) {
                        client.getDatabase(database(uri))
                                .getCollection("run" + runs.incrementAndGet())
                                .insertOne(new Document());
                    }
                })
                .parallel(1)
                .run();
        assertThat(report.deterministic()).isFalse();
        assertThat(report.isCorrect()).isFalse();
        assertThat(wrong(report)).containsValue("non-deterministic");
    }

    @Test
    void driversOwnMessagesAreReportedApart() throws Exception {
        var report = Audit.of(uri -> increment(uri, 1))
                .invariant(AuditTest::counter)
                .target(server.connectionString())
                .run();
        assertThat(report.findings(true))
                .isNotEmpty()
                .allMatch(each -> each.verdict() == Verdict.CORRECT)
                .extracting(each -> each.point().command())
                .contains("isMaster");
        assertThat(report.findings(false))
                .extracting(each -> each.point().command())
                .containsOnly("update");
    }

    @Test
    void auditWithoutGroundsSaysWhy() {
        assertThatThrownBy(() -> audit(uri -> {
                            throw new IllegalStateException("no");
                        })
                        .run())
                .isInstanceOf(AuditException.class)
                .hasMessageContaining(
                        "the operation fails although nothing went wrong: java.lang.IllegalStateException: no");
        assertThatThrownBy(() -> audit(
                                uri -> increment(server.connectionString().replace("/?", "/other?"), 1))
                        .run())
                .isInstanceOf(AuditException.class)
                .hasMessageContaining("the operation sends nothing to the database of its connection string");
        assertThatThrownBy(() ->
                        audit(uri -> increment(uri, 1)).invariant(uri -> 7).run())
                .isInstanceOf(AuditException.class)
                .hasMessageContaining("the check finds the effect 7 times");
        assertThatThrownBy(
                        () -> audit(uri -> {}).target("mongodb://127.0.0.1:1").run())
                .isInstanceOf(AuditException.class)
                .hasMessageContaining("cannot reach 127.0.0.1:1");
    }
}
