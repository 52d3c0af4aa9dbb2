package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.driver.event.CommandFailedEvent;
import dev.semel.driver.event.CommandListener;
import dev.semel.driver.event.CommandStartedEvent;
import dev.semel.driver.event.CommandSucceededEvent;
import dev.semel.driver.event.RetryEvent;
import dev.semel.driver.event.RetryListener;
import dev.semel.driver.event.RetryReport;
import dev.semel.driver.logging.LoggerSettings;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.logging.Logger;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A listener that throws is the application's error; it must not end a monitor, leak a connection or fail an operation. */
@Timeout(30)
class ThrowingListenerTest {
    // Each of them would be in the build's output with its trace; held, because a logger without references loses its
    // level.
    private static final Logger LOG = Logger.getLogger("dev.semel.driver.listener");

    @BeforeAll
    static void silence() {
        LOG.setLevel(java.util.logging.Level.OFF);
    }

    @AfterAll
    static void speakAgain() {
        LOG.setLevel(null);
    }

    private static AssertionError thrown() {
        return new AssertionError("a listener's own error");
    }

    private static final class Commands implements CommandListener {
        @Override
        public void commandStarted(CommandStartedEvent event) {
            throw thrown();
        }

        @Override
        public void commandSucceeded(CommandSucceededEvent event) {
            throw thrown();
        }

        @Override
        public void commandFailed(CommandFailedEvent event) {
            throw thrown();
        }
    }

    private static final class Retries implements RetryListener {
        @Override
        public void attemptEnded(RetryEvent event) {
            throw thrown();
        }

        @Override
        public void operationEnded(RetryReport report) {
            throw thrown();
        }
    }

    @Test
    void whatListenersThrowChangesNothing() throws IOException {
        try (TestServer server = TestServer.start();
                MongoClient client = server.connect("&maxPoolSize=1&minPoolSize=1", settings -> {
                    settings.loggerSettings(LoggerSettings.DEFAULT
                                    .withLevel(Level.DEBUG)
                                    .withListener(message -> {
                                        throw thrown();
                                    }))
                            .addCommandListener(new Commands())
                            .addRetryListener(new Retries())
                            .applyToClusterSettings(cluster -> cluster.addClusterListener(event -> {
                                throw thrown();
                            }))
                            .applyToConnectionPoolSettings(pool -> pool.addConnectionPoolListener(event -> {
                                throw thrown();
                            }));
                })) {
            MongoCollection<Document> collection = client.getDatabase("db").getCollection("c");
            for (int i = 0; i < 3; i++) {
                server.failCommand("{times: 1}", "{failCommands: ['insert'], closeConnection: true}");
                collection.insertOne(new Document("_id", i));
            }
            assertThat(collection.countDocuments()).isEqualTo(3);
        }
    }
}
