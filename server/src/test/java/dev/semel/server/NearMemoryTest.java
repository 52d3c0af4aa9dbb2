package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Documents that a search by distance has found before their turn are not all held. */
class NearMemoryTest {
    private static final int DOCUMENTS = 40;

    @RegisterExtension
    private final ServerWithLimits server = new ServerWithLimits(Map.of("queryBytesMax", "1048576"));

    @BeforeEach
    void insert() throws Exception {
        server.run(
                "{\"createIndexes\": \"c\", \"indexes\": [{\"key\": {\"p\": \"2dsphere\"}, \"name\": \"p\"}], \"$db\":"
                        + " \"db\"}");
        BsonWriter out = new BsonWriter().put("insert", "c").put("$db", "db").startArray("documents");
        for (int i = 0; i < DOCUMENTS; i++) {
            out.startDocument()
                    .put("_id", i)
                    .startArray("p")
                    .add(Value.of(10.0))
                    .add(Value.of(50.0))
                    .end();
            out.put("t", "x".repeat(80_000)).end();
        }
        server.run(out.end().finish());
    }

    @Test
    void largeDocumentsAtOnePlaceComeInOrder() throws Exception {
        String found = server.run(
                        "{\"aggregate\": \"c\", \"cursor\": {}, \"$db\": \"db\", \"pipeline\": [{\"$geoNear\":"
                                + " {\"near\": {\"type\": \"Point\", \"coordinates\": [10.0, 50.0]}, \"distanceField\":"
                                + " \"d\"}}, {\"$group\": {\"_id\": null, \"all\": {\"$push\": \"$_id\"}}}]}")
                .toString();
        String expected =
                IntStream.range(0, DOCUMENTS).mapToObj(String::valueOf).collect(Collectors.joining(", "));
        assertThat(found).contains("\"all\": [" + expected + "]");
    }
}
