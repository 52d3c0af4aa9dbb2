package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DbHashTest {
    private Server server;
    private LocalConnection connection;

    @BeforeEach
    void start() throws IOException {
        server = Server.start(ServerOptions.memory().inProcess());
        connection = server.connect();
    }

    @AfterEach
    void stop() {
        connection.close();
        server.close();
    }

    @Test
    void hashIsOfTheDocumentsInTheOrderOfTheirIds() throws Exception {
        run("{'insert': 'c', 'documents': [{'_id': 2}, {'_id': 1}], '$db': 'd'}");
        var expected = MessageDigest.getInstance("MD5");
        expected.update(Json.parse("{\"_id\": 1}").toBytes());
        expected.update(Json.parse("{\"_id\": 2}").toBytes());

        assertThat(hash("d", "c")).isEqualTo(Value.of(HexFormat.of().formatHex(expected.digest())));
    }

    @Test
    void sameContentHasTheSameHashUntilItChanges() {
        run("{'insert': 'c', 'documents': [{'_id': 2}, {'_id': 1}], '$db': 'd'}");
        run("{'insert': 'c', 'documents': [{'_id': 1}, {'_id': 2}], '$db': 'e'}");
        assertThat(run("{'dbHash': 1, '$db': 'd'}").get("md5"))
                .isEqualTo(run("{'dbHash': 1, '$db': 'e'}").get("md5"));

        run("{'update': 'c', 'updates': [{'q': {'_id': 1}, 'u': {'$set': {'a': 1}}}], '$db': 'e'}");
        assertThat(hash("d", "c")).isNotEqualTo(hash("e", "c"));
    }

    @Test
    void onlyCollectionsThatWereAskedForAreHashed() {
        run("{'insert': 'a', 'documents': [{'_id': 1}], '$db': 'd'}");
        run("{'create': 'b', 'capped': true, 'size': 1000, '$db': 'd'}");
        run("{'create': 'v', 'viewOn': 'a', 'pipeline': [], '$db': 'd'}");

        assertThat(run("{'dbHash': 1, '$db': 'd'}").get("collections"))
                .asString()
                .contains("a", "b")
                .doesNotContain("v:");
        assertThat(run("{'dbHash': 1, 'collections': ['b'], '$db': 'd'}").get("capped"))
                .isEqualTo(Json.parse("{\"x\": [\"b\"]}").get("x"));
    }

    private Value hash(String database, String collection) {
        return run("{'dbHash': 1, '$db': '%s'}".formatted(database)).get("collections")
                        instanceof Value.Doc(RawDocument all)
                ? Objects.requireNonNull(all.get(collection))
                : Value.NULL;
    }

    private RawDocument run(String command) {
        return connection.run(Json.parse(command.replace('\'', '"')));
    }
}
