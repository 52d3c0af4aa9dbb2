package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a transaction's statements see and are told. */
class InsideTransactionTest {
    private static final RawDocument SESSION =
            new BsonWriter().put("id", new Value.Binary((byte) 4, new byte[16])).finish();

    private static RawDocument run(LocalConnection connection, BsonWriter command) {
        return connection.run(command.put("$db", "db").finish());
    }

    private static BsonWriter inTransaction(BsonWriter command, boolean starts) {
        command.put("lsid", SESSION).put("txnNumber", 1L).put("autocommit", false);
        return starts ? command.put("startTransaction", true) : command;
    }

    private static BsonWriter insert(int id, String text) {
        return new BsonWriter()
                .put("insert", "c")
                .startArray("documents")
                .startDocument()
                .put("_id", id)
                .put("s", text)
                .end()
                .end();
    }

    private static BsonWriter replace(String field, Value equal, String text) {
        return new BsonWriter()
                .put("update", "c")
                .startArray("updates")
                .startDocument()
                .startDocument("q")
                .put(field, equal)
                .end()
                .startDocument("u")
                .put("s", text)
                .end()
                .end()
                .end();
    }

    /** Drivers begin the transaction again when they see the label, and give up without it. */
    @Test
    void aWriteWhoseSnapshotHadToGoIsTransient() throws Exception {
        ServerOptions options = ServerOptions.memory().inProcess().parameters(Map.of("snapshotBytesMax", "1048576"));
        try (Server server = Server.start(options);
                LocalConnection own = server.connectAsClient();
                LocalConnection other = server.connectAsClient()) {
            for (int i = 0; i < 10; i++) {
                run(other, insert(i, "x".repeat(500_000)));
            }
            run(other, insert(10, "x"));
            run(
                    own,
                    inTransaction(
                            new BsonWriter()
                                    .put("find", "c")
                                    .put("batchSize", 0)
                                    .put("singleBatch", true),
                            true));
            for (int i = 0; i < 10; i++) {
                run(other, replace("_id", Value.of(i), "y".repeat(500_000)));
            }
            RawDocument refused = run(own, inTransaction(replace("s", Value.of("x"), "y"), false));
            assertThat(refused.get("code")).isEqualTo(Value.of(239));
            assertThat(refused.get("errorLabels"))
                    .isEqualTo(new BsonWriter()
                            .startArray("a")
                            .add("TransientTransactionError")
                            .end()
                            .finish()
                            .get("a"));
        }
    }

    @Test
    void figuresAreThoseOfWhatTheTransactionSees() throws Exception {
        try (Server server = Server.start(ServerOptions.memory().inProcess());
                LocalConnection own = server.connectAsClient();
                LocalConnection other = server.connectAsClient()) {
            run(other, insert(1, "x"));
            run(own, new BsonWriter().put("beginTransaction", 1));
            run(own, insert(2, "x"));
            for (LocalConnection each : List.of(own, other)) {
                long documents = each == own ? 2 : 1;
                assertThat(run(each, new BsonWriter().put("collStats", "c")).get("count"))
                        .isEqualTo(Value.of((int) documents));
                assertThat(run(each, new BsonWriter().put("dataSize", "db.c")).get("numObjects"))
                        .isEqualTo(Value.of(documents));
                assertThat(run(each, new BsonWriter().put("dbStats", 1)).get("objects"))
                        .isEqualTo(Value.of(documents));
            }
        }
    }
}
