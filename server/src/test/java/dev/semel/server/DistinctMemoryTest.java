package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The values that {@code distinct} collects are drawn from the memory of all queries. */
class DistinctMemoryTest {
    private static final int VALUES = 30_000;
    private static final String TURKISH = ", \"collation\": {\"locale\": \"tr\"}";

    @RegisterExtension
    private final ServerWithLimits server = new ServerWithLimits(Map.of("queryBytesTotalMax", "1048576"));

    @BeforeEach
    void insert() throws Exception {
        BsonWriter out = new BsonWriter().put("insert", "c").put("$db", "db").startArray("documents");
        out.startDocument().put("_id", 1).startArray("many");
        for (int i = 0; i < VALUES; i++) {
            out.add(Value.of("value " + i));
        }
        out.end().startArray("few");
        for (int i = 0; i < VALUES; i++) {
            out.add(Value.of("value " + i % 100));
        }
        server.run(out.end().end().end().finish());
        server.run("{\"create\": \"v\", \"viewOn\": \"c\", \"pipeline\": [], \"$db\": \"db\"}");
    }

    private RawDocument distinct(String collection, String key, String options) throws Exception {
        return server.run(
                "{\"distinct\": \"" + collection + "\", \"key\": \"" + key + "\"" + options + ", \"$db\": \"db\"}");
    }

    private void assertNothingIsHeld() throws Exception {
        RawDocument status = server.run("{\"serverStatus\": 1, \"$db\": \"admin\"}");
        assertThat(String.valueOf(status.get("memoryAccount"))).contains("\"queries\": {\"used\": 0,");
    }

    @ParameterizedTest
    @ValueSource(strings = {"c", "v"})
    void moreThanThereIsRoomFor(String collection) throws Exception {
        RawDocument reply = distinct(collection, "many", "");
        assertThat(reply.get("code")).as(reply.toString()).isEqualTo(Value.of(146));
        assertThat(String.valueOf(reply.get("errmsg")))
                .contains("exceeds the limit of 1048576 bytes set by the parameter queryBytesTotalMax");
        assertNothingIsHeld();
    }

    @ParameterizedTest
    @ValueSource(strings = {"c", "v"})
    void eachValueCountsOnce(String collection) throws Exception {
        RawDocument reply = distinct(collection, "few", "");
        assertThat(reply.get("values"))
                .isInstanceOfSatisfying(
                        Value.Array.class,
                        values -> assertThat(values.elements().size()).isEqualTo(100));
        assertNothingIsHeld();
    }

    @Test
    void underACollation() throws Exception {
        assertThat(distinct("c", "many", TURKISH).get("code")).isEqualTo(Value.of(146));
        assertThat(distinct("c", "few", TURKISH).get("ok")).isEqualTo(Value.of(1.0));
        assertNothingIsHeld();
    }
}
