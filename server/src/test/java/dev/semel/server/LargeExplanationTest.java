package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.Limits;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Documents that a validator refuses are shown in the reply, which does not become larger than a document may be. */
class LargeExplanationTest {
    private static final int LARGE_BYTES = 9 << 20;

    private Server server;
    private LocalConnection connection;

    @BeforeEach
    void create() throws Exception {
        server = Server.start(ServerOptions.memory().inProcess());
        connection = server.connectAsClient();
        run("{create: 'c', $db: 'db', validator: {$jsonSchema: {properties: {a: {maxItems: 1}}}}}");
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
        server.close();
    }

    private RawDocument run(String command) {
        return connection.run(
                Json.parse(command.replaceAll("([{,] *)([$\\w]+):", "$1\"$2\":").replace('\'', '"')));
    }

    private static BsonWriter insert(int documents, int bytes) {
        BsonWriter out = new BsonWriter()
                .put("insert", "c")
                .put("$db", "db")
                .put("ordered", false)
                .startArray("documents");
        Value half = new Value.Binary((byte) 0, new byte[bytes / 2]);
        for (int id = 0; id < documents; id++) {
            out.startDocument()
                    .put("_id", id)
                    .startArray("a")
                    .add(half)
                    .add(half)
                    .end()
                    .end();
        }
        return out.end();
    }

    private static List<RawDocument> explanations(RawDocument reply) {
        List<RawDocument> explanations = new ArrayList<>();
        if (reply.get("writeErrors") instanceof Value.Array(RawDocument errors)) {
            for (Element each : errors) {
                if (each.value() instanceof Value.Doc(RawDocument error)
                        && error.get("errInfo") instanceof Value.Doc(RawDocument info)) {
                    explanations.add(info);
                }
            }
        }
        return explanations;
    }

    private static void assertFirstIsExplained(RawDocument reply) {
        assertThat(reply.length()).isLessThan(Limits.DOCUMENT_BYTES_MAX);
        List<RawDocument> explanations = explanations(reply);
        assertThat(explanations).hasSize(3);
        assertThat(explanations.getFirst().length()).isGreaterThan(LARGE_BYTES);
        assertThat(explanations.getLast())
                .hasToString("{\"failingDocumentId\": 2, \"note\": \"detailed error was too large\"}");
    }

    @Test
    void onlyTheFirstOfLargeDocumentsIsShown() {
        assertFirstIsExplained(connection.run(insert(3, LARGE_BYTES).finish()));
    }

    /** The errors are kept for the token, and come again. */
    @Test
    void errorsOfATokenAreTheSameAgain() {
        RawDocument command = insert(3, LARGE_BYTES)
                .startDocument("comment")
                .put("once", "t")
                .end()
                .finish();
        RawDocument first = connection.run(command);
        assertFirstIsExplained(first);
        assertThat(explanations(connection.run(command))).isEqualTo(explanations(first));
    }

    @Test
    void documentThatIsLargerThanAnExplanationIsNotShown() {
        List<RawDocument> explanations = explanations(
                connection.run(insert(1, Limits.DOCUMENT_BYTES_MAX - 1_000).finish()));
        assertThat(explanations.getFirst().get("truncated")).isEqualTo(Value.TRUE);
        assertThat(explanations.getFirst().toString()).contains("\"numberOfItems\": 2");
    }

    @Test
    void manySmallErrorsHaveExplanationsForAsLongAsThereIsRoom() {
        RawDocument reply = connection.run(insert(50_000, 100).finish());
        assertThat(explanations(reply)).hasSize(50_000);
        assertThat(reply.length()).isLessThan(Limits.DOCUMENT_BYTES_MAX);
    }
}
