package dev.semel.server;

import static dev.semel.server.WirePeer.at;
import static dev.semel.server.WirePeer.command;
import static dev.semel.server.WirePeer.ok;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.message.Message.OpMsg;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What those who look after a server ask it, and how they end an operation. */
class MonitoringTest {
    private Server server;

    @BeforeEach
    void start() throws IOException {
        server = Server.start(ServerOptions.memory());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void databasesOfTheServerAreAlwaysListed() throws IOException {
        try (WirePeer peer = new WirePeer(server)) {
            RawDocument reply = peer.run(command("listDatabases").put("nameOnly", true));
            assertThat(Json.relaxed(reply))
                    .contains("\"databases\": [{\"name\": \"admin\"}, {\"name\": \"config\"}, {\"name\": \"local\"}]");
        }
    }

    @Test
    void monitoringFindsWhatItAsksFor() throws IOException {
        try (WirePeer peer = new WirePeer(server)) {
            RawDocument status = peer.run(command("serverStatus")
                    .put("tcmalloc", 1)
                    .put("someSection", 0)
                    .startDocument("other")
                    .end());
            assertThat(ok(status)).isEqualTo(Value.of(1.0));
            assertThat(at(status, "metrics", "cursor", "timedOut")).isEqualTo(Value.of(0L));
            assertThat(at(status, "metrics", "cursor", "open", "total")).isEqualTo(Value.of(0L));
            assertThat(at(status, "metrics", "cursor", "open", "pinned")).isEqualTo(Value.of(0L));
            assertThat(at(status, "metrics", "cursor", "open", "noTimeout")).isEqualTo(Value.of(0L));
            assertThat(at(status, "opcountersRepl", "insert")).isEqualTo(Value.of(0L));
        }
    }

    @Test
    void documentsOfAllBatchesAreCounted() throws IOException {
        try (Server empty = Server.start(ServerOptions.memory());
                WirePeer peer = new WirePeer(empty)) {
            BsonWriter insert = new BsonWriter().put("insert", "c").startArray("documents");
            for (int i = 0; i < 5; i++) {
                insert.add(new BsonWriter().put("_id", i).finish());
            }
            peer.run(insert.end().put("$db", "d"));
            RawDocument first = peer.run(
                    new BsonWriter().put("find", "c").put("batchSize", 2).put("$db", "d"));
            assertThat(returned(peer)).isEqualTo(Value.of(2L));
            peer.run(new BsonWriter()
                    .put("getMore", Objects.requireNonNull(at(first, "cursor", "id")))
                    .put("collection", "c")
                    .put("$db", "d"));
            assertThat(returned(peer)).isEqualTo(Value.of(5L));
            RawDocument byId = new BsonWriter().put("_id", 1).finish();
            peer.run(new BsonWriter().put("find", "c").put("filter", byId).put("$db", "d"));
            assertThat(returned(peer)).isEqualTo(Value.of(6L));
        }
    }

    private static @Nullable Value returned(WirePeer peer) throws IOException {
        return at(peer.run(command("serverStatus")), "metrics", "document", "returned");
    }

    @Test
    void aMemberSaysSoInItsCommandLine() throws IOException {
        try (Server member = Server.start(ServerOptions.memory().replicaSet("rs7"));
                WirePeer peer = new WirePeer(member)) {
            RawDocument options = peer.run(command("getCmdLineOpts"));
            assertThat(options.get("argv"))
                    .isEqualTo(new BsonWriter().add("--replSet").add("rs7").finishArray());
            assertThat(at(options, "parsed", "replication", "replSet")).isEqualTo(Value.of("rs7"));
        }
    }

    @Test
    void repliesOfASetNameTheirTime() throws IOException {
        try (WirePeer peer = new WirePeer(server)) {
            RawDocument reply = peer.run(command("ping"));
            assertThat(reply.has("operationTime")).isTrue();
            assertThat(reply.has("$clusterTime")).isTrue();
        }
    }

    @Test
    void anOperationIsKilledByItsNumber() throws Exception {
        try (WirePeer waiting = new WirePeer(server);
                WirePeer killer = new WirePeer(server)) {
            RawDocument first = waiting.run(command("hello"));
            BsonWriter wait = command("hello")
                    .put("topologyVersion", Objects.requireNonNull(first.get("topologyVersion")))
                    .put("maxAwaitTimeMS", 60_000);
            waiting.write(OpMsg.of(8, 0, wait.finish()));
            Value operation = null;
            while (operation == null) {
                RawDocument reply = killer.run(command("currentOp").put("active", true));
                if (reply.get("inprog") instanceof Value.Array(RawDocument all)) {
                    for (var at = all.cursor(); at.next(); ) {
                        if (at.value() instanceof Value.Doc(RawDocument each)
                                && each.get("command") instanceof Value.Doc(RawDocument command)
                                && command.has("maxAwaitTimeMS")) {
                            operation = each.get("opid");
                        }
                    }
                }
            }
            killer.run(command("killOp").put("op", operation));
            assertThat(waiting.read().body().get("code")).isEqualTo(Value.of(11601));
        }
    }
}
