package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.error.MongoOperationTimeoutException;
import dev.semel.driver.error.MongoSocketReadException;
import java.io.IOException;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A network that repeats replies, delivers them slowly or stops accepting bytes: no caller gets a wrong reply or waits
 * for ever.
 */
@Timeout(30)
class BrokenNetworkTest {
    private RecordingServer server;

    @BeforeEach
    void start() throws IOException {
        server = RecordingServer.primary();
        server.answer((command, count) -> "{ok: 1, n: " + count + "}");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private MongoClient open(String options) {
        MongoClient client = MongoClients.create(server.uri() + options);
        // Finding the server is no part of what is timed here.
        Await.until(() -> client.getClusterDescription().servers().stream()
                .allMatch(each -> each.type().isWritable()));
        return client;
    }

    private static int next(MongoClient client) {
        return client.getDatabase("db").runCommand(new Document("next", 1)).getInteger("n", -1);
    }

    /** Each later operation on the connection would get the answer of the one before it. */
    @Test
    void anAnswerToAnotherRequestIsNotTaken() {
        server.deliver((exchange, reply) -> {
            exchange.send(reply);
            exchange.send(reply);
        });
        try (MongoClient client = open("")) {
            assertThat(next(client)).isEqualTo(0);
            assertThatThrownBy(() -> next(client))
                    .isInstanceOf(MongoSocketReadException.class)
                    .hasMessageContaining("an answer to request ")
                    .hasMessageContaining(" was expected");
            assertThat(server.awaitCommands("next", 2)).hasSize(2);
            assertThat(next(client)).isEqualTo(2);
            assertThat(server.heard().get(2).connection())
                    .isNotEqualTo(server.heard().get(1).connection());
        }
    }

    /** Each read of the socket is quick; all of them together are not. */
    @Test
    void anAnswerThatDripsEndsWithTheTimeout() {
        server.deliver((exchange, reply) -> {
            for (byte each : reply) {
                exchange.send(new byte[] {each});
                server.pause(100);
            }
        });
        try (MongoClient client = open("&timeoutMS=300")) {
            assertThatThrownBy(() -> next(client)).isInstanceOf(MongoOperationTimeoutException.class);
        }
    }

    @Test
    void sendingToAServerThatStopsReadingEndsWithTheTimeout() {
        try (MongoClient client = open("&timeoutMS=1000")) {
            server.readOnly(100_000);
            var collection = client.getDatabase("db").getCollection("c");
            var large = new Document("text", "x".repeat(15_000_000));

            assertThatThrownBy(() -> collection.insertOne(large)).isInstanceOf(MongoOperationTimeoutException.class);
        }
    }

    /** A timeout of zero is no limit, and takes the place of the older timeout of the socket. */
    @Test
    void withoutALimitTheTimeoutOfTheSocketDoesNotApply() {
        server.answer((command, count) -> {
            server.pause(300);
            return "{ok: 1, n: " + count + "}";
        });
        try (MongoClient client = open("&timeoutMS=0&socketTimeoutMS=50")) {
            assertThat(next(client)).isEqualTo(0);
        }
    }
}
