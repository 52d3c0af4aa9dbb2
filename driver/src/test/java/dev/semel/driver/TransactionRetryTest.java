package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.connection.Deadline;
import dev.semel.driver.connection.Time;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoTimeoutException;
import dev.semel.driver.setting.TransactionOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The loop around a whole transaction. */
class TransactionRetryTest {
    private static TestServer server;

    @BeforeAll
    static void startServer() throws Exception {
        server = TestServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    /** Two minutes go by with each look at it. */
    private static Time fastTime() {
        var looks = new AtomicInteger();
        return new Time(
                InstantSource.system(), () -> Duration.ofMinutes(2).toNanos() * looks.getAndIncrement(), pause -> {});
    }

    private static MongoCollection<Document> collection() {
        return server.admin().getDatabase("db").getCollection("retry");
    }

    /** TXNC-1. */
    @Test
    void otherFailureOfTheBodyComesOutUnchanged() {
        var failure = new IllegalStateException("mine");
        var runs = new AtomicInteger();
        try (var session = server.admin().startSession()) {
            assertThatThrownBy(() -> session.withTransaction(() -> {
                        runs.incrementAndGet();
                        throw failure;
                    }))
                    .isSameAs(failure);
        }
        assertThat(runs).hasValue(1);
    }

    /** TXNC-2. */
    @Test
    void resultOfTheBodyIsReturned() {
        try (var session = server.admin().startSession()) {
            assertThat(session.<String>withTransaction(() -> "result")).isEqualTo("result");
        }
    }

    /** TXNC-3a. */
    @Test
    void bodyIsNotRunAgainPastTheLimit() {
        try (var session = server.admin().startSession()) {
            var retry = new TransactionRetry(session, Deadline.NONE, fastTime(), () -> 0);
            assertThatExceptionOfType(MongoTimeoutException.class)
                    .isThrownBy(() -> retry.run(
                            () -> {
                                var failure = new MongoException("lost");
                                failure.addLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
                                throw failure;
                            },
                            TransactionOptions.DEFAULT))
                    .satisfies(e -> assertThat(e.getErrorLabels()).containsExactly("TransientTransactionError"))
                    .withCauseInstanceOf(MongoException.class);
        }
    }

    /** TXNC-3b, TXNC-3c. */
    @ParameterizedTest
    @CsvSource({"UnknownTransactionCommitResult, 91", "TransientTransactionError, 251"})
    void commitIsNotRepeatedPastTheLimit(String label, int code) {
        server.failCommand(
                "{times: 2}",
                "{failCommands: ['commitTransaction'], errorCode: " + code + ", errorLabels: ['" + label + "']}");
        try (var session = server.admin().startSession()) {
            var retry = new TransactionRetry(session, Deadline.NONE, fastTime(), () -> 0);
            assertThatExceptionOfType(MongoTimeoutException.class)
                    .isThrownBy(() -> retry.run(
                            () -> collection().insertOne(session, new Document()), TransactionOptions.DEFAULT))
                    .satisfies(e -> assertThat(e.getErrorLabels()).contains(label));
        } finally {
            server.clearFailPoint();
        }
    }

    /** TXNC-4: chance decides how long the pauses are; at most they grow by half from 7.5 to 500 ms, 2.28 s in all. */
    @Test
    void pausesGrowWithEachAttempt() {
        server.failCommand("{times: 13}", "{failCommands: ['commitTransaction'], errorCode: 251}");
        try (var session = server.admin().startSession()) {
            var draws = new AtomicInteger();
            var pauses = new ArrayList<Duration>();
            var nanos = new AtomicLong();
            var time = new Time(InstantSource.system(), nanos::get, pause -> {
                pauses.add(pause);
                nanos.addAndGet(pause.toNanos());
            });
            new TransactionRetry(session, Deadline.NONE, time, () -> {
                        draws.incrementAndGet();
                        return 1;
                    })
                    .run(() -> collection().insertOne(session, new Document()), TransactionOptions.DEFAULT);
            assertThat(draws).hasValue(13);
            assertThat(pauses)
                    .hasSize(13)
                    .startsWith(Duration.ofNanos(7_500_000), Duration.ofNanos(11_250_000))
                    .endsWith(Duration.ofNanos(432_487_792), Duration.ofMillis(500), Duration.ofMillis(500));
            assertThat(Duration.ofNanos(nanos.get())).isBetween(Duration.ofMillis(2280), Duration.ofMillis(2290));
        } finally {
            server.clearFailPoint();
        }
    }

    @Test
    void timeoutCoversBodyAndCommitAndCannotBeChangedInBetween() {
        try (var session = server.admin().startSession()) {
            var options = new TransactionOptions(null, null, null, null, Duration.ofSeconds(10));
            assertThatExceptionOfType(MongoException.class)
                    .isThrownBy(() -> session.withTransaction(
                            () -> collection().withTimeout(Duration.ofMillis(1)).insertOne(session, new Document()),
                            options))
                    .withMessageContaining("timeout of withTransaction");
        }
    }

    @Test
    void timeoutOfOneEndIsNoTimeoutOfTheWhole() {
        try (var session = server.admin().startSession()) {
            session.startTransaction();
            collection().insertOne(session, new Document());
            session.commitTransaction(Duration.ofSeconds(10));
            session.startTransaction();
            collection().insertOne(session, new Document());
            session.abortTransaction(Duration.ofSeconds(10));
            var options = new TransactionOptions(null, null, null, null, Duration.ofSeconds(10));
            assertThatExceptionOfType(MongoException.class)
                    .isThrownBy(() -> session.withTransaction(
                            () -> {
                                session.commitTransaction(Duration.ofSeconds(1));
                                return "unreachable";
                            },
                            options))
                    .withMessageContaining("timeout of withTransaction");
        }
    }
}
