package dev.semel.blackpipe.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.UpdateOptions;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Ways to count to one, and what becomes of each when something goes wrong. */
class AuditTest {
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
                .invariant(Counting::counter)
                .target(server.connectionString())
                .faults(Kind.TRANSIENT, Kind.OUTAGE, Kind.COMMAND_ERROR)
                .selectionTimeout(Duration.ofMillis(1200))
                .parallel(10)
                .withoutBackground();
    }

    @Test
    void naiveRetryOvercountsWhereTheReplyIsLostAndNowhereElse() throws Exception {
        var report = audit(uri -> Counting.increment(uri + Counting.BY_HAND, 2)).run();
        assertThat(report.findings()).hasSize(5);
        assertThat(Counting.wrong(report))
                .containsExactly(Map.entry("update days, transient error, applied, reply lost", "may overcount"));
        assertThat(report.findings())
                .filteredOn(each -> each.verdict() == Verdict.MAY_OVERCOUNT)
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.applied()).isEqualTo(2);
                    assertThat(each.attempts()).isEqualTo(2);
                    assertThat(each.advice()).contains("Use retryable writes, or give the write a token");
                });
    }

    @Test
    void endlessRetriesWasteTime() throws Exception {
        var report = audit(uri -> {
                    try (var client = MongoClients.create(uri + Counting.BY_HAND)) {
                        var days = client.getDatabase(Counting.database(uri)).getCollection("days");
                        boolean done = false;
                        while (!done) {
                            try {
                                days.updateOne(Counting.DAY, Counting.INCREMENT, new UpdateOptions().upsert(true));
                                done = true;
                            } catch (MongoException e) {
                                // Again, whatever the failure was, until the thread is interrupted.
                                done = e instanceof MongoInterruptedException;
                            }
                        }
                    }
                })
                .limit(Duration.ofSeconds(5))
                .run();
        assertThat(Counting.wrong(report))
                .containsExactly(
                        Map.entry("update days, command error, refused", "wastes time"),
                        Map.entry("update days, outage, applied, reply lost", "wastes time"),
                        Map.entry("update days, outage, not received", "wastes time"),
                        Map.entry("update days, transient error, applied, reply lost", "may overcount"));
    }

    private static void transfer(String uri) {
        try (var client = MongoClients.create(uri)) {
            var accounts = client.getDatabase(Counting.database(uri)).getCollection("accounts");
            accounts.updateOne(new Document("_id", "ann"), new Document("$inc", new Document("money", -10)));
            accounts.updateOne(new Document("_id", "bob"), new Document("$inc", new Document("money", 10)));
        }
    }

    private static void openAccounts(String uri) {
        try (var client = MongoClients.create(uri)) {
            client.getDatabase(Counting.database(uri))
                    .getCollection("accounts")
                    .insertMany(List.of(
                            new Document("_id", "ann").append("money", 50),
                            new Document("_id", "bob").append("money", 0)));
        }
    }

    @Test
    void twoWritesThatShouldBeOneMayHalfApply() throws Exception {
        var check = JsonCheck.parse("{\"find\": \"accounts\", \"expect\": [{\"_id\": \"ann\", \"money\": 40},"
                + " {\"_id\": \"bob\", \"money\": 10}]}");
        var report = audit(AuditTest::transfer)
                .setup(uri -> {
                    openAccounts(uri);
                    check.lookBefore(uri);
                })
                .invariant(check)
                .run();
        assertThat(Counting.wrong(report))
                .containsExactly(
                        Map.entry("update accounts (2), command error, refused", "may half-apply"),
                        Map.entry("update accounts (2), outage, not received", "may half-apply"),
                        Map.entry("update accounts, outage, applied, reply lost", "may half-apply"));
        assertThat(report.findings())
                .filteredOn(each -> each.verdict() == Verdict.MAY_HALF_APPLY)
                .allSatisfy(each -> {
                    assertThat(each.effect()).hasToString("in part");
                    assertThat(each.advice())
                            .contains("[{\"_id\": \"ann\", \"money\": 40}, {\"_id\": \"bob\", \"money\": 0}]")
                            .contains("one transaction");
                });
    }

    /** A loop around writes that the driver itself repeats: correct until the driver has given up once. */
    private static void loop(String uri) {
        try (var client = MongoClients.create(uri)) {
            var days = client.getDatabase(Counting.database(uri)).getCollection("days");
            for (int i = 1; ; i++) {
                try {
                    days.updateOne(Counting.DAY, Counting.INCREMENT, new UpdateOptions().upsert(true));
                    return;
                } catch (MongoException e) {
                    if (i == 4 || e instanceof MongoInterruptedException) {
                        throw e;
                    }
                }
            }
        }
    }

    private static Map<String, String> wrong(Operation operation, Kind... faults) throws Exception {
        return Counting.wrong(audit(operation).faults(faults).run());
    }

    @Test
    void loopOverRetryableWritesOvercountsWhenTheServerComesBackOrBothAttemptsFail() throws Exception {
        var report = audit(AuditTest::loop)
                .faults(Kind.TRANSIENT, Kind.OUTAGE_THAT_ENDS, Kind.SECOND_FAULT)
                .run();
        assertThat(Counting.wrong(report))
                .containsExactly(
                        Map.entry("update days, outage that ends, applied, reply lost", "may overcount"),
                        Map.entry("update days, second fault, applied, reply lost", "may overcount"));
        assertThat(report.findings())
                .filteredOn(each -> each.verdict() == Verdict.MAY_OVERCOUNT)
                .allSatisfy(each -> assertThat(each.advice())
                        .contains("each turn of a loop around the driver gets another number")
                        .contains("comment: {once: ...}"));
    }

    @Test
    void retryableWriteIsCorrectWhateverGoesWrong() throws Exception {
        var report =
                audit(uri -> Counting.increment(uri, 1)).faults(Kind.values()).run();
        assertThat(report.findings()).hasSize(15);
        assertThat(report.findings())
                .filteredOn(each -> each.verdict() != Verdict.CORRECT)
                .extracting(each -> each.point() + ": " + each.verdict().label() + ", " + each.error())
                .isEmpty();
    }

    @Test
    void copyThatWritesWhatItHasReadLosesTheWorkOfTheOther() throws Exception {
        var report = audit(uri -> {
                    try (var client = MongoClients.create(uri)) {
                        var days = client.getDatabase(Counting.database(uri)).getCollection("days");
                        Document day = days.find(Counting.DAY).first();
                        int counter = day == null ? 0 : day.getInteger("counter");
                        days.replaceOne(
                                Counting.DAY,
                                new Document("counter", counter + 1),
                                new com.mongodb.client.model.ReplaceOptions().upsert(true));
                    }
                })
                .faults(Kind.TWO_COPIES)
                .run();
        assertThat(Counting.wrong(report)).containsEntry("update days, two copies, at the same time", "may undercount");
        assertThat(report.findings().getLast().advice()).contains("the work of one is lost");
    }

    @Test
    void copiesThatLookBeforeTheyWriteBothWrite() throws Exception {
        Operation pay = uri -> {
            try (var client = MongoClients.create(uri)) {
                var payments = client.getDatabase(Counting.database(uri)).getCollection("payments");
                if (payments.find(new Document("order", 7)).first() == null) {
                    payments.insertOne(new Document("order", 7));
                }
            }
        };
        Operation payWithAnId = uri -> {
            try (var client = MongoClients.create(uri)) {
                client.getDatabase(Counting.database(uri))
                        .getCollection("payments")
                        .insertOne(new Document("_id", "order 7"));
            }
        };
        Invariant payments = uri -> {
            try (var client = MongoClients.create(uri)) {
                return client.getDatabase(Counting.database(uri))
                        .getCollection("payments")
                        .countDocuments();
            }
        };
        var report = audit(pay).invariant(payments).faults(Kind.TWO_COPIES).run();
        assertThat(Counting.wrong(report))
                .containsEntry("insert payments, two copies, at the same time", "may overcount");
        assertThat(report.findings().getLast().advice()).contains("both did what only one should");
        assertThat(audit(payWithAnId)
                        .invariant(payments)
                        .faults(Kind.TWO_COPIES)
                        .run()
                        .isCorrect())
                .isTrue();
    }

    @Test
    void programThatDoesNotRetryLosesWhatOneMoreAttemptWouldHaveDone() throws Exception {
        assertThat(wrong(uri -> Counting.increment(uri + Counting.BY_HAND, 1), Kind.values()))
                .containsExactly(
                        Map.entry("update days, stall, not received", "may undercount"),
                        Map.entry("update days, step-down, refused", "may undercount"),
                        Map.entry("update days, transient error, not received", "may undercount"));
    }

    @Test
    void errorsThatAreTakenForNothingDoneOvercount() throws Exception {
        Operation again = uri -> {
            try {
                Counting.increment(uri + Counting.BY_HAND, 1);
            } catch (MongoException e) {
                Counting.increment(uri + Counting.BY_HAND, 1);
            }
        };
        assertThat(wrong(again, Kind.STALL, Kind.STEP_DOWN, Kind.RETRYABLE_ERROR))
                .containsExactly(
                        Map.entry("update days, stall, applied, reply lost", "may overcount"),
                        Map.entry("update days, step-down, applied, then refused", "may overcount"));
    }

    @Test
    void ignoredErrorIsALostWrite() throws Exception {
        var report = audit(uri -> {
                    try {
                        Counting.increment(uri, 1);
                    } catch (MongoException e) {
                        // Nobody is told.
                    }
                })
                .run();
        assertThat(Counting.wrong(report))
                .containsExactly(
                        Map.entry("update days, command error, refused", "may undercount"),
                        Map.entry("update days, outage, not received", "may undercount"));
    }

    @Test
    void operationThatDoesSomethingElseEachTimeIsNonDeterministic() throws Exception {
        var runs = new AtomicInteger();
        var report = audit(uri -> {
                    Counting.increment(uri, 1);
                    try (var client = MongoClients.create(uri)) {
                        client.getDatabase(Counting.database(uri))
                                .getCollection("run" + runs.incrementAndGet())
                                .insertOne(new Document());
                    }
                })
                .parallel(1)
                .run();
        assertThat(report.deterministic()).isFalse();
        assertThat(report.isCorrect()).isFalse();
        assertThat(Counting.wrong(report)).containsValue("non-deterministic");
    }

    @Test
    void driversOwnMessagesAreReportedApart() throws Exception {
        var report = Audit.of(uri -> Counting.increment(uri, 1))
                .invariant(Counting::counter)
                .target(server.connectionString())
                .faults(Kind.TRANSIENT)
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
        assertThatThrownBy(() -> audit(uri ->
                                Counting.increment(server.connectionString().replace("/?", "/other?"), 1))
                        .run())
                .isInstanceOf(AuditException.class)
                .hasMessageContaining("the operation sends nothing to the database of its connection string");
        assertThatThrownBy(() -> audit(uri -> Counting.increment(uri, 1))
                        .invariant(uri -> 7)
                        .run())
                .isInstanceOf(AuditException.class)
                .hasMessageContaining("the check finds the effect 7 times");
        assertThatThrownBy(
                        () -> audit(uri -> {}).target("mongodb://127.0.0.1:1").run())
                .isInstanceOf(AuditException.class)
                .hasMessageContaining("cannot reach 127.0.0.1:1");
    }
}
