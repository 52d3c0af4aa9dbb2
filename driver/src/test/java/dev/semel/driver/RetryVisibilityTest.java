package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.semel.driver.error.MongoException;
import dev.semel.driver.event.RetryEvent;
import dev.semel.driver.event.RetryEvent.Decision;
import dev.semel.driver.event.RetryListener;
import dev.semel.driver.event.RetryReport;
import dev.semel.driver.event.RetryStatistics;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an application can learn of the retries made for it. */
class RetryVisibilityTest {
    private static TestServer server;
    private final List<RetryEvent> events = new CopyOnWriteArrayList<>();
    private final List<RetryReport> reports = new CopyOnWriteArrayList<>();
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
        client = server.connect(
                "",
                settings -> settings.addRetryListener(new RetryListener() {
                    @Override
                    public void attemptEnded(RetryEvent event) {
                        events.add(event);
                    }

                    @Override
                    public void operationEnded(RetryReport report) {
                        reports.add(report);
                    }
                }));
        collection = client.getDatabase("db").getCollection("visibility");
        collection.drop();
    }

    @AfterEach
    void disconnect() {
        server.clearFailPoint();
        client.close();
    }

    @Test
    void operationThatSucceedsAtOnceIsNotReported() {
        collection.insertOne(new Document("_id", 1));

        assertThat(events).isEmpty();
        assertThat(reports).isEmpty();
        assertThat(client.retryStatistics()).isEqualTo(new RetryStatistics(0, 0, 0, 0));
    }

    @Test
    void reportOfARetriedWriteHasBothAttempts() {
        server.failCommand("{times: 1}", "{failCommands: ['insert'], closeConnection: true}");

        collection.insertOne(new Document("_id", 1));

        assertThat(events).extracting(RetryEvent::attempt).containsExactly(1, 2);
        assertThat(events).extracting(RetryEvent::decision).containsExactly(Decision.RETRIED, Decision.SUCCEEDED);
        assertThat(events).extracting(RetryEvent::commandName).containsOnly("insert");
        assertThat(events).extracting(RetryEvent::databaseName).containsOnly("db");
        assertThat(events).extracting(RetryEvent::server).containsOnly(server.address());
        assertThat(events).allSatisfy(each -> assertThat(each.elapsed()).isPositive());
        assertThat(events.get(0).transactionId())
                .isNotNull()
                .isEqualTo(events.get(1).transactionId());
        MongoException failure = Objects.requireNonNull(events.get(0).failure());
        assertThat(failure.getErrorLabels()).contains("RetryableWriteError");
        assertThat(events.get(1).failure()).isNull();

        assertThat(reports).hasSize(1);
        assertThat(reports.get(0).isRescued()).isTrue();
        assertThat(reports.get(0).isRetried()).isTrue();
        assertThat(reports.get(0).attempts()).isEqualTo(events);
        assertThat(client.retryStatistics()).isEqualTo(new RetryStatistics(1, 1, 0, 1));
    }

    @Test
    void writeGivenUpSaysWhy() {
        server.failCommand("{times: 2}", "{failCommands: ['insert'], closeConnection: true}");

        assertThatExceptionOfType(MongoException.class)
                .isThrownBy(() -> collection.insertOne(new Document("_id", 1)))
                .satisfies(e -> assertThat(e.getSuppressed())
                        .as("the other attempt")
                        .singleElement()
                        .isSameAs(events.get(0).failure()));

        assertThat(events)
                .extracting(RetryEvent::decision)
                .containsExactly(Decision.RETRIED, Decision.NO_ATTEMPTS_LEFT);
        assertThat(events.get(1).decision().reason()).isEqualTo("it has been tried often enough");
        assertThat(reports.get(0).isRescued()).isFalse();
        assertThat(reports.get(0).raised()).isSameAs(events.get(1).failure());
        assertThat(client.retryStatistics()).isEqualTo(new RetryStatistics(1, 0, 1, 1));
    }

    @Test
    void failureThatIsNotRetriedSaysWhyNot() {
        server.failCommand("{times: 1}", "{failCommands: ['find'], errorCode: 8}");

        assertThatExceptionOfType(MongoException.class)
                .isThrownBy(() -> collection.find().first());

        assertThat(events).extracting(RetryEvent::decision).containsExactly(Decision.NOT_A_RETRYABLE_ERROR);
        assertThat(events.get(0).transactionId()).isNull();
        assertThat(reports.get(0).isRetried()).isFalse();
        assertThat(client.retryStatistics()).isEqualTo(new RetryStatistics(0, 0, 0, 0));
    }

    @Test
    void listenerThatFailsHasNoEffect() {
        try (var other = server.connect(
                "",
                settings -> settings.addRetryListener(new RetryListener() {
                    @Override
                    public void attemptEnded(RetryEvent event) {
                        throw new IllegalStateException("listener");
                    }
                }))) {
            server.failCommand("{times: 1}", "{failCommands: ['insert'], closeConnection: true}");
            other.getDatabase("db").getCollection("visibility").insertOne(new Document("_id", 1));
        }
        assertThat(collection.countDocuments()).isEqualTo(1);
    }

    @Test
    void retriesAfterOverloadAreMarked() {
        server.failCommand(
                "{times: 1}",
                "{failCommands: ['find'], errorCode: 462, errorLabels: ['SystemOverloadedError', 'RetryableError']}");

        collection.find().first();

        assertThat(events)
                .extracting(RetryEvent::decision)
                .containsExactly(Decision.RETRIED_AFTER_OVERLOAD, Decision.SUCCEEDED);
    }
}
