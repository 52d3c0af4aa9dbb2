package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A sort that may not use the disk ends at its limit, where others go on. */
class SortLimitTest {
    private static BsonWriter find() {
        return new BsonWriter()
                .put("find", "c")
                .put("$db", "db")
                .startDocument("sort")
                .put("a", -1)
                .end();
    }

    private static BsonWriter aggregate() {
        return new BsonWriter()
                .put("aggregate", "c")
                .put("$db", "db")
                .startDocument("cursor")
                .end()
                .startArray("pipeline")
                .startDocument()
                .startDocument("$sort")
                .put("a", -1)
                .end()
                .end()
                .end();
    }

    /** Three documents of half a megabyte. */
    private static void insert(LocalConnection connection) throws Exception {
        BsonWriter insert = new BsonWriter().put("insert", "c").put("$db", "db").startArray("documents");
        for (int i = 0; i < 3; i++) {
            insert.startDocument().put("_id", i).put("s", "x".repeat(500_000)).end();
        }
        connection.run(insert.end().finish());
    }

    private static void assertSorts(LocalConnection connection, BsonWriter command) throws Exception {
        assertThat(connection.run(command.finish()).get("ok")).isEqualTo(Value.of(1.0));
    }

    private static void assertRefused(LocalConnection connection, BsonWriter command, String why) throws Exception {
        RawDocument refused = connection.run(command.finish());
        assertThat(refused.get("code")).isEqualTo(Value.of(292));
        assertThat(refused.get("errmsg")).isEqualTo(Value.of(why));
    }

    /** Also where the planner takes a pipeline's sort upon itself. */
    @Test
    void aSortThatMayNotUseTheDiskHasTheLowerLimit() throws Exception {
        ServerOptions options = ServerOptions.memory().inProcess().parameters(Map.of("queryBytesMax", "1048576"));
        try (Server server = Server.start(options);
                LocalConnection connection = server.connectAsClient()) {
            insert(connection);
            assertSorts(connection, find());
            assertSorts(connection, find().put("allowDiskUse", true));
            assertSorts(connection, aggregate());
            assertRefused(
                    connection,
                    find().put("allowDiskUse", false),
                    "Executor error during find command: db.c :: caused by :: Sort exceeded memory"
                            + " limit of 1048576 bytes, but did not opt in to external sorting.");
            assertRefused(
                    connection,
                    aggregate().put("allowDiskUse", false),
                    "Executor error during aggregate command on namespace: db.c :: caused by :: Sort exceeded memory"
                            + " limit of 1048576 bytes, but did not opt in to external sorting.");
            assertSorts(connection, find().put("allowDiskUse", false).put("limit", 1));
        }
    }
}
