package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The values of an array that a join looks for are counted, in whichever way they are looked for. */
class JoinMemoryTest {
    private static final int SMALL = 500;
    private static final int LARGE = 5_000;

    @RegisterExtension
    private final ServerWithLimits server = new ServerWithLimits(Map.of("queryBytesTotalMax", "1048576"));

    @BeforeEach
    void insert() throws Exception {
        BsonWriter others = new BsonWriter().put("insert", "f").put("$db", "db").startArray("documents");
        for (int i = 0; i < SMALL; i++) {
            others.startDocument().put("_id", i).put("k", i).put("next", i).end();
        }
        server.run(others.end().finish());
        server.run(
                "{\"createIndexes\": \"f\", \"indexes\": [{\"key\": {\"k\": 1}, \"name\": \"k_1\"}], \"$db\": \"db\"}");
        BsonWriter arrays = new BsonWriter().put("insert", "c").put("$db", "db").startArray("documents");
        for (int i = 0; i < 20; i++) {
            array(arrays, i, SMALL);
        }
        array(arrays, 20, LARGE);
        server.run(arrays.end().finish());
    }

    private static void array(BsonWriter out, int id, int length) {
        out.startDocument().put("_id", id).startArray("a");
        for (int i = 0; i < length; i++) {
            out.add(Value.of(i));
        }
        out.end().end();
    }

    /** What is parsed for one document is not counted for the next. */
    @Test
    void manyDocumentsWithFewValuesEach() throws Exception {
        int documents = 3_000;
        BsonWriter few = new BsonWriter().put("insert", "m").put("$db", "db").startArray("documents");
        for (int i = 0; i < documents; i++) {
            few.startDocument()
                    .put("_id", i)
                    .startArray("a")
                    .add(Value.of(1))
                    .add(Value.of(i))
                    .end()
                    .end();
        }
        server.run(few.end().finish());
        for (String stage : List.of(
                "{\"$lookup\": {\"from\": \"f\", \"localField\": \"a\", \"foreignField\": \"k\", \"as\": \"r\"}}",
                "{\"$graphLookup\": {\"from\": \"f\", \"startWith\": \"$a\", \"connectFromField\": \"none\","
                        + " \"connectToField\": \"k\", \"as\": \"r\"}}")) {
            RawDocument reply = server.run("{\"aggregate\": \"m\", \"cursor\": {}, \"$db\": \"db\", \"pipeline\": ["
                    + stage + ", {\"$match\": {\"r\": {\"$ne\": []}}}, {\"$count\": \"n\"}]}");
            assertThat(Json.relaxed(reply)).contains("\"firstBatch\": [{\"n\": " + documents + "}]");
        }
    }

    private RawDocument join(String match, String stage) throws Exception {
        return server.run(
                "{\"aggregate\": \"c\", \"cursor\": {}, \"$db\": \"db\", \"pipeline\": [{\"$match\": {\"_id\": "
                        + match + "}}, {\"$sort\": {\"_id\": 1}}, " + stage
                        + ", {\"$project\": {\"n\": {\"$size\": \"$r\"}}}]}");
    }

    private static final List<String> FOREIGN_FIELDS = List.of("_id", "k", "next");

    private static String lookup(String foreignField) {
        return "{\"$lookup\": {\"from\": \"f\", \"localField\": \"a\", \"foreignField\": \"" + foreignField
                + "\", \"as\": \"r\"}}";
    }

    @Test
    void arraysThatFitAreJoined() throws Exception {
        for (String field : FOREIGN_FIELDS) {
            RawDocument reply = join("{\"$lt\": 20}", lookup(field));
            StringBuilder expected = new StringBuilder();
            for (int i = 0; i < 20; i++) {
                expected.append(i == 0 ? "" : ", ").append("{\"_id\": " + i + ", \"n\": " + SMALL + "}");
            }
            assertThat(reply.toString()).as(field).contains("\"firstBatch\": [" + expected + "]");
        }
    }

    @Test
    void anArrayWhoseValuesDoNotFitIsRefused() throws Exception {
        for (String field : FOREIGN_FIELDS) {
            RawDocument reply = join("20", lookup(field));
            assertThat(reply.get("code")).as(field + reply).isEqualTo(Value.of(146));
            assertThat(String.valueOf(reply.get("errmsg")))
                    .contains("exceeds the limit of 1048576 bytes set by the parameter queryBytesTotalMax");
        }
        RawDocument status = server.run("{\"serverStatus\": 1, \"$db\": \"admin\"}");
        assertThat(String.valueOf(status.get("memoryAccount"))).contains("\"queries\": {\"used\": 0,");
    }

    @Test
    void whatAGraphIsSearchedForIsCounted() throws Exception {
        String search = "{\"$graphLookup\": {\"from\": \"f\", \"startWith\": \"$a\", \"connectFromField\": \"next\","
                + " \"connectToField\": \"k\", \"as\": \"r\"}}";
        assertThat(join("3", search).toString()).contains("\"firstBatch\": [{\"_id\": 3, \"n\": " + SMALL + "}]");
        RawDocument reply = join("20", search);
        assertThat(reply.get("code")).as(reply.toString()).isEqualTo(Value.of(292));
    }
}
