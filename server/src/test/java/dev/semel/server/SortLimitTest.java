package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whose sort is refused is told which parameter would let it pass. */
class SortLimitTest {
    private static BsonWriter find() {
        return new BsonWriter()
                .put("find", "c")
                .put("$db", "db")
                .startDocument("sort")
                .put("a", -1)
                .end();
    }

    @Test
    void aSortOfAFindNamesTheParameterThatLimitsIt() throws Exception {
        ServerOptions options =
                ServerOptions.memory().inProcess().parameters(Map.of("queryDiskUseBytesMax", "1048576"));
        try (Server server = Server.start(options);
                LocalConnection connection = server.connectAsClient()) {
            BsonWriter insert =
                    new BsonWriter().put("insert", "c").put("$db", "db").startArray("documents");
            for (int i = 0; i < 3; i++) {
                insert.startDocument()
                        .put("_id", i)
                        .put("s", "x".repeat(500_000))
                        .end();
            }
            connection.run(insert.end().finish());
            RawDocument refused = connection.run(find().finish());
            assertThat(refused.get("code")).isEqualTo(Value.of(292));
            assertThat(refused.get("errmsg"))
                    .isEqualTo(Value.of("Executor error during find command: db.c :: caused by :: Sort exceeded memory"
                            + " limit of 1048576 bytes set by the parameter queryDiskUseBytesMax."));
            assertThat(connection.run(find().put("limit", 1).finish()).get("ok"))
                    .isEqualTo(Value.of(1.0));
        }
    }

    @Test
    void aSortOfAFindMayHoldAsMuchAsThatOfAnAggregateWithDiskUse() throws Exception {
        ServerOptions options =
                ServerOptions.memory().inProcess().parameters(Map.of("queryDiskUseBytesMax", "209715200"));
        try (Server server = Server.start(options);
                LocalConnection connection = server.connectAsClient()) {
            connection.run(new BsonWriter().put("create", "c").put("$db", "db").finish());
            RawDocument explained = connection.run(new BsonWriter()
                    .startDocument("explain")
                    .put("find", "c")
                    .startDocument("sort")
                    .put("a", -1)
                    .end()
                    .end()
                    .put("$db", "db")
                    .finish());
            assertThat(explained.toString()).contains("\"memLimit\": 209715200");
        }
    }
}
