package dev.semel.driver;

import static dev.semel.blackpipe.message.Match.command;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.blackpipe.script.Pending;
import dev.semel.blackpipe.script.ScriptedReplicaSet;
import dev.semel.blackpipe.script.ScriptedServer;
import java.io.IOException;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** Retries and elections, message by message. */
class ScriptedServerTest {
    @Test
    void writeIsSentAgainAfterHangUpWithTheSameNumber() throws IOException {
        try (var server = ScriptedServer.start();
                var client = MongoClients.create(server.uri())) {
            var inserted =
                    Pending.of(() -> client.getDatabase("db").getCollection("c").insertOne(new Document()));
            var first = server.receives(command("insert").on("db.c").with("txnNumber"));
            first.hangUp();
            var second = server.receives(command("insert").on("db.c"));
            assertThat(second.request().get("txnNumber"))
                    .isEqualTo(first.request().get("txnNumber"));
            second.reply("{\"ok\": 1, \"n\": 1}");
            inserted.result();
        }
    }

    @Test
    void electionIsFollowed() throws IOException {
        try (var set = ScriptedReplicaSet.start(2);
                var client = MongoClients.create(set.uri())) {
            var inserted =
                    Pending.of(() -> client.getDatabase("db").getCollection("c").insertOne(new Document()));
            var first = set.member(0).receives(command("insert"));
            set.elect(1);
            first.error(189, "RetryableWriteError");
            set.member(1).receives(command("insert")).reply("{\"ok\": 1, \"n\": 1}");
            inserted.result();
        }
    }
}
