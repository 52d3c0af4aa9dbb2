package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoInterruptedException;
import dev.semel.driver.event.ConnectionPoolEvent;
import dev.semel.driver.event.RetryEvent;
import dev.semel.driver.event.RetryEvent.Decision;
import dev.semel.driver.event.RetryListener;
import dev.semel.driver.setting.ConnectionString;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens when a server says that it is overloaded. */
class BackpressureTest {
    private static final String FOUND = "{ok: 1, cursor: {id: {$numberLong: '0'}, ns: 'db.c', firstBatch: []}}";
    private static final String MORE = "{ok: 1, cursor: {id: {$numberLong: '7'}, ns: 'db.c', firstBatch: [{_id: 1}]}}";
    private static final String NEXT = "{ok: 1, cursor: {id: {$numberLong: '0'}, ns: 'db.c', nextBatch: [{_id: 2}]}}";

    private final List<Decision> decisions = new CopyOnWriteArrayList<>();
    private RecordingServer server;

    @BeforeEach
    void start() throws IOException {
        server = RecordingServer.primary();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private MongoClient open(String options, Consumer<MongoClientSettings.Builder> more) {
        var settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.uri() + options))
                .applyToServerSettings(servers -> servers.minHeartbeatFrequency(java.time.Duration.ofMillis(10)))
                .addRetryListener(new RetryListener() {
                    @Override
                    public void attemptEnded(RetryEvent event) {
                        decisions.add(event.decision());
                    }
                });
        more.accept(settings);
        return MongoClients.create(settings.build());
    }

    private MongoClient open(String options) {
        return open(options, settings -> {});
    }

    private static MongoCollection<Document> collection(MongoClient client) {
        return client.getDatabase("db").getCollection("c");
    }

    private static String overload(int code, String... labels) {
        var all = new StringBuilder("'RetryableError', 'SystemOverloadedError'");
        for (String each : labels) {
            all.append(", '").append(each).append("'");
        }
        return "{ok: 0, code: " + code + ", errmsg: 'busy', errorLabels: [" + all + "]}";
    }

    private static String failure(int code, String label) {
        return "{ok: 0, code: " + code + ", errmsg: 'x', errorLabels: ['RetryableWriteError'"
                + (label.isEmpty() ? "" : ", '" + label + "'") + "]}";
    }

    /** BPP-3. */
    @Test
    void attemptsAreLimited() {
        server.answer((command, count) -> overload(462));
        try (var client = open("")) {
            assertThatExceptionOfType(MongoException.class)
                    .isThrownBy(() -> collection(client).find().first())
                    .satisfies(e -> assertThat(e.isRetryableOverload()).isTrue());
        }
        assertThat(server.commands("find")).hasSize(3);
        assertThat(decisions)
                .containsExactly(
                        Decision.RETRIED_AFTER_OVERLOAD, Decision.RETRIED_AFTER_OVERLOAD, Decision.NO_ATTEMPTS_LEFT);
    }

    /** BPP-4. */
    @Test
    void optionLimitsAttempts() {
        server.answer((command, count) -> overload(462));
        try (var client = open("&maxAdaptiveRetries=1")) {
            assertThatExceptionOfType(MongoException.class)
                    .isThrownBy(() -> collection(client).find().first());
        }
        assertThat(server.commands("find")).hasSize(2);
    }

    @Test
    void timeoutDoesNotLiftTheLimit() {
        server.answer((command, count) -> overload(462));
        try (var client = open("&timeoutMS=20000")) {
            assertThatExceptionOfType(MongoException.class)
                    .isThrownBy(() -> collection(client).find().first());
        }
        assertThat(server.commands("find")).hasSize(3);
    }

    /** RWP-6.4, RWP-6.5, RRP-4, RRP-5. */
    @ParameterizedTest
    @ValueSource(strings = {"insert", "find"})
    void plainFailuresAfterOverloadCountButCauseNoPause(String command) {
        server.answer((heard, count) -> count == 0 ? overload(91, "RetryableWriteError") : failure(91, ""));
        try (var client = open("")) {
            assertThatExceptionOfType(MongoException.class).isThrownBy(() -> {
                if (command.equals("insert")) {
                    collection(client).insertOne(new Document("_id", 1));
                } else {
                    collection(client).find().first();
                }
            });
        }
        assertThat(server.commands(command)).hasSize(3);
        assertThat(decisions)
                .containsExactly(Decision.RETRIED_AFTER_OVERLOAD, Decision.RETRIED, Decision.NO_ATTEMPTS_LEFT);
    }

    /** CUR-18: a thread that is interrupted before the retry is in its backoff. */
    @Test
    void overloadedServerIsLeftAloneBeforeTheRetry() {
        server.answer((command, count) -> overload(462).replace("ok: 0", "ok: 0, baseBackoffMS: 10000"));
        try (var client =
                open("", settings -> settings.addRetryListener(interruptAfter(Decision.RETRIED_AFTER_OVERLOAD)))) {
            assertThatExceptionOfType(MongoInterruptedException.class)
                    .isThrownBy(() -> collection(client).find().first())
                    .withMessage("Interrupted between two attempts");
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(server.commands("find")).hasSize(1);
    }

    /** A thread that is interrupted before a plain retry is not in a backoff, even if the server names one. */
    @ParameterizedTest
    @ValueSource(strings = {"insert", "find"})
    void plainFailuresCauseNoPause(String command) {
        server.answer((heard, count) -> switch (count) {
            case 0 -> failure(6, "").replace("ok: 0", "ok: 0, baseBackoffMS: 10000");
            default -> command.equals("insert") ? "{ok: 1, n: 1}" : FOUND;
        });
        try (var client = open("", settings -> settings.addRetryListener(interruptAfter(Decision.RETRIED)))) {
            // Nothing else that the driver waits for may see the interrupt.
            if (command.equals("insert")) {
                collection(client).insertOne(new Document("_id", 1));
            } else {
                collection(client).find().first();
            }
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(server.commands(command)).hasSize(2);
    }

    private static RetryListener interruptAfter(Decision decision) {
        return new RetryListener() {
            @Override
            public void attemptEnded(RetryEvent event) {
                if (event.decision() == decision) {
                    Thread.currentThread().interrupt();
                }
            }
        };
    }

    /** RWP-6.1, RWP-6.2, RWP-6.3. */
    @ParameterizedTest
    @CsvSource(
            value = {"''|''|10107", "NoWritesPerformed|NoWritesPerformed|91", "''|NoWritesPerformed|91"},
            delimiter = '|')
    void newestFailureThatMayHaveWrittenIsRaised(String first, String later, int raised) {
        server.answer((command, count) -> count == 0
                ? overload(91, first, "RetryableWriteError")
                : overload(10107, later, "RetryableWriteError"));
        try (var client = open("")) {
            var failure = catchThrowableOfType(
                    MongoException.class, () -> collection(client).insertOne(new Document("_id", 1)));
            assertThat(failure.getCode()).isEqualTo(raised);
            assertThat(failure.hasErrorLabel("NoWritesPerformed")).isEqualTo(!first.isEmpty());
        }
    }

    @Test
    void overloadedWriteKeepsItsTransactionId() {
        server.answer((command, count) -> count < 2 ? overload(462) : "{ok: 1, n: 1}");
        try (var client = open("")) {
            collection(client).insertOne(new Document("_id", 1));
        }
        assertThat(server.commands("insert").stream()
                        .map(each -> each.get("txnNumber"))
                        .distinct())
                .hasSize(1);
    }

    @Test
    void firstCommandOfTransactionStaysTheFirst() {
        server.answer((command, count) -> count == 0 ? overload(462) : "{ok: 1, n: 1}");
        try (var client = open("");
                var session = client.startSession()) {
            session.startTransaction();
            collection(client).insertOne(session, new Document("_id", 1));
            session.commitTransaction();
        }
        assertThat(server.commands("insert"))
                .hasSize(2)
                .allSatisfy(
                        each -> assertThat(each.containsKey("startTransaction")).isTrue());
    }

    @Test
    void transactionBeginsWithTheNextCommandWhereOverloadKeptOutTheFirst() {
        server.answer((command, count) -> command.containsKey("insert") ? overload(462) : FOUND);
        try (var client = open("&maxAdaptiveRetries=0");
                var session = client.startSession()) {
            session.startTransaction();
            assertThatExceptionOfType(MongoException.class)
                    .isThrownBy(() -> collection(client).insertOne(session, new Document("_id", 1)));
            collection(client).find(session).first();
            collection(client).find(session).first();
        }
        assertThat(server.commands("find"))
                .extracting(each -> each.containsKey("startTransaction"))
                .containsExactly(true, false);
    }

    @Test
    void everyCommandIsSentAgainAfterOverload() {
        server.answer((command, count) -> switch (command.getFirstKey()) {
            case "find" -> MORE;
            case "getMore" -> count == 1 ? overload(462) : NEXT;
            case "update" -> server.commands("update").size() == 1 ? overload(462) : "{ok: 1, n: 1, nModified: 1}";
            case "ping" -> server.commands("ping").size() == 1 ? overload(462) : "{ok: 1}";
            default -> "{ok: 1}";
        });
        try (var client = open("")) {
            assertThat(collection(client).find().batchSize(1).into(new java.util.ArrayList<>()))
                    .hasSize(2);
            collection(client).updateMany(new Document(), new Document("$set", new Document("a", 1)));
            client.getDatabase("db").runCommand(new Document("ping", 1));
        }
        assertThat(server.commands("getMore")).hasSize(2);
        assertThat(server.commands("update")).hasSize(2);
        assertThat(server.commands("ping")).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"retryReads", "retryWrites"})
    void genericCommandNeedsBothOptions(String option) {
        server.answer((command, count) -> overload(462));
        try (var client = open("&" + option + "=false")) {
            assertThatExceptionOfType(MongoException.class)
                    .isThrownBy(() -> client.getDatabase("db").runCommand(new Document("ping", 1)));
        }
        assertThat(server.commands("ping")).hasSize(1);
        assertThat(decisions).containsExactly(Decision.SWITCHED_OFF);
    }

    /** Before the pause: others may need it meanwhile. */
    @Test
    void connectionIsGivenBackBetweenAttempts() {
        var events = new CopyOnWriteArrayList<String>();
        server.answer((command, count) -> count == 0 ? overload(462) : FOUND);
        try (var client = open(
                "",
                settings -> settings.addRetryListener(new RetryListener() {
                            @Override
                            public void attemptEnded(RetryEvent event) {
                                events.add(event.decision().name());
                            }
                        })
                        .applyToConnectionPoolSettings(pools -> pools.addConnectionPoolListener(event -> {
                            if (event instanceof ConnectionPoolEvent.CheckedOut) {
                                events.add("out");
                            } else if (event instanceof ConnectionPoolEvent.CheckedIn) {
                                events.add("in");
                            }
                        })))) {
            collection(client).find().first();
            assertThat(events).startsWith("out", "in", "RETRIED_AFTER_OVERLOAD", "out", "SUCCEEDED", "in");
        }
    }

    /** HSP-9. */
    @Test
    void everyHandshakeSaysThatTheDriverUnderstandsOverload() {
        server.answer((command, count) -> FOUND);
        try (var client = open("")) {
            collection(client).find().first();
        }
        // The later ones of a monitor's connection are no handshakes: they do not say who is there.
        assertThat(server.hellos())
                .filteredOn(each -> each.containsKey("client"))
                .hasSizeGreaterThan(1)
                .allSatisfy(each -> assertThat(each.get("backpressure")).isEqualTo(new BsonString("2")));
    }
}
