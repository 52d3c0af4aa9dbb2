package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The variables of {@code $merge} may be large, and are not there once for each result. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MergeMemoryTest {
    private static final int DOCUMENTS = 500;
    private static final int LARGE = 12_000_000;

    @RegisterExtension
    private final ServerWithLimits server =
            new ServerWithLimits(Map.of("queryBytesTotalMax", "4194304", "memoryAccountBytesMax", "1073741824"));

    @BeforeEach
    void insert() throws Exception {
        BsonWriter out = new BsonWriter().put("insert", "c").put("$db", "db").startArray("documents");
        for (int i = 0; i < DOCUMENTS; i++) {
            out.startDocument().put("_id", i).put("a", "b").end();
        }
        server.run(out.end().finish());
        server.run("{\"aggregate\": \"c\", \"pipeline\": [{\"$out\": \"d\"}], \"cursor\": {}, \"$db\": \"db\"}");
    }

    /** Every document gets the length of the variable, and the one of the command that is not hidden. */
    private RawDocument merge(RawDocument let) throws Exception {
        RawDocument set = Json.parse(
                "{\"$set\": {\"n\": {\"$strLenBytes\": \"$$x\"}, \"y\": \"$$y\", \"new\":" + " \"$$new.a\"}}");
        return server.run(new BsonWriter()
                .put("aggregate", "c")
                .put("$db", "db")
                .put("cursor", RawDocument.EMPTY)
                .startDocument("let")
                .put("x", "hidden")
                .put("y", "seen")
                .end()
                .startArray("pipeline")
                .startDocument()
                .startDocument("$merge")
                .put("into", "d")
                .put("let", let)
                .startArray("whenMatched")
                .add(set)
                .end()
                .end()
                .end()
                .end()
                .finish());
    }

    private void assertAllHave(int length) throws Exception {
        RawDocument reply = server.run("{\"count\": \"d\", \"query\": {\"n\": " + length
                + ", \"y\": \"seen\", \"new\": \"b\"}, \"$db\": \"db\"}");
        assertThat(reply.get("n")).isEqualTo(Value.of(DOCUMENTS));
    }

    private static String large(int length) {
        return "x".repeat(length);
    }

    /** Copies for all of them would take gigabytes. */
    @Test
    void theSameForEveryResult() throws Exception {
        RawDocument reply = merge(
                new BsonWriter().put("x", large(LARGE)).put("new", "$$ROOT").finish());
        assertThat(reply.get("ok")).as(reply.toString()).isEqualTo(Value.of(1.0));
        assertAllHave(LARGE);
    }

    private static RawDocument computed(int length) {
        return new BsonWriter()
                .put("new", "$$ROOT")
                .startDocument("x")
                .startArray("$concat")
                .add(Value.of(large(length)))
                .add(Value.of("$a"))
                .end()
                .end()
                .finish();
    }

    @Test
    void computedOfEachResult() throws Exception {
        int fits = 500_000;
        RawDocument reply = merge(computed(fits));
        assertThat(reply.get("ok")).as(reply.toString()).isEqualTo(Value.of(1.0));
        assertAllHave(fits + 1);
    }

    @Test
    void computedAndLargerThanTheMemory() throws Exception {
        RawDocument reply = merge(computed(5_000_000));
        assertThat(reply.get("code")).as(reply.toString()).isEqualTo(Value.of(146));
        RawDocument status = server.run("{\"serverStatus\": 1, \"$db\": \"admin\"}");
        assertThat(String.valueOf(status.get("memoryAccount"))).contains("\"queries\": {\"used\": 0,");
    }
}
