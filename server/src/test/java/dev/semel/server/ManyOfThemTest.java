package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a client can make many of, each of them small. */
class ManyOfThemTest {
    private static RawDocument json(String text) {
        return Json.parse(text.replace('\'', '"'));
    }

    private static Server start(String parameter, long value) throws Exception {
        return Server.start(ServerOptions.memory().inProcess().parameters(Map.of(parameter, Long.toString(value))));
    }

    private static Value at(RawDocument document, String... path) {
        Value at = Value.of(document);
        for (var name : path) {
            at = Objects.requireNonNull(((Value.Doc) at).document().get(name), name);
        }
        return at;
    }

    private static Value catalogBytes(LocalConnection connection) {
        var status = connection.run(json("{'serverStatus': 1, '$db': 'admin'}"));
        return at(status, "memoryAccount", "parts", "catalog", "used");
    }

    @Test
    void collectionsAndIndexesHaveTheirPartOfTheMemory() throws Exception {
        try (var server = start("catalogBytesMax", 1 << 20);
                var connection = server.connect()) {
            var before = catalogBytes(connection);
            int made = 0;
            var reply = RawDocument.EMPTY;
            while (reply.get("code") == null && made < 1_000) {
                reply = connection.run(json("{'create': 'c" + made++ + "', '$db': 'd'}"));
            }
            // 1,220 bytes each.
            assertThat(made).isEqualTo(860);
            assertThat(reply.get("code")).isEqualTo(Value.of(146));
            assertThat(String.valueOf(reply.get("errmsg"))).contains("set by the parameter catalogBytesMax");
            var indexes = json("{'createIndexes': 'c1', 'indexes': [{'key': {'a': 1}, 'name': 'a'}], '$db': 'd'}");
            assertThat(connection.run(indexes).get("code")).isEqualTo(Value.of(146));
            // Data goes in as before, and what is dropped makes room.
            var insert = "{'insert': 'c1', 'documents': [{'_id': 1}], '$db': 'd'}";
            assertThat(connection.run(json(insert)).get("n")).isEqualTo(Value.of(1));
            assertThat(connection.run(json("{'drop': 'c2', '$db': 'd'}")).get("ok"))
                    .isEqualTo(Value.of(1.0));
            assertThat(connection.run(json("{'drop': 'c3', '$db': 'd'}")).get("ok"))
                    .isEqualTo(Value.of(1.0));
            assertThat(connection.run(indexes).get("ok")).isEqualTo(Value.of(1.0));
            connection.run(json("{'dropDatabase': 1, '$db': 'd'}"));
            assertThat(catalogBytes(connection)).isEqualTo(before);
        }
    }

    @Test
    void whatIsRolledBackMakesRoomAgain() throws Exception {
        try (var server = start("catalogBytesMax", 1 << 20);
                var connection = server.connect()) {
            var before = catalogBytes(connection);
            connection.run(json("{'beginTransaction': 1, '$db': 'd'}"));
            assertThat(connection.run(json("{'create': 'c', '$db': 'd'}")).get("ok"))
                    .isEqualTo(Value.of(1.0));
            assertThat(catalogBytes(connection)).isNotEqualTo(before);
            connection.run(json("{'rollbackTransaction': 1, '$db': 'd'}"));
            assertThat(catalogBytes(connection)).isEqualTo(before);
        }
    }

    @Test
    void sessionsAreAsManyAsTheHeapAllows() throws Exception {
        try (var server = start("maxSessions", 3);
                var connection = server.connect()) {
            for (byte i = 0; i < 4; i++) {
                var id = new byte[16];
                id[0] = i;
                var reply = connection.run(new BsonWriter()
                        .put("ping", 1)
                        .put(
                                "lsid",
                                new BsonWriter()
                                        .put("id", new Value.Binary((byte) 4, id))
                                        .finish())
                        .put("$db", "admin")
                        .finish());
                assertThat(reply.get("code")).isEqualTo(i < 3 ? null : Value.of(261));
            }
        }
    }
}
