package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.nio.file.Path;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whoever believes to be inside a transaction of TokuMX's dialect must not run outside after the server was restarted: half
 * of his transaction would stay.
 */
class TokumxRestartTest {
    private static final String SESSION = "lsid: {id: UUID('00000000-0000-4000-8000-000000000001')}";
    private static final String OTHER = "lsid: {id: UUID('00000000-0000-4000-8000-000000000002')}";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void openTransactionGetsAnErrorAfterTheRestart(boolean kill) throws Exception {
        try (var server = start();
                var client = new RawClient(server.awaitReady())) {
            ok(client, "{insert: 'c', documents: [{_id: 'a', n: 100}, {_id: 'b', n: 100}], $db: 'test'}");
            ok(client, "{beginTransaction: 1, %s, $db: 'test'}".formatted(SESSION));
            ok(client, add("a", -10, SESSION));
            // Of these, one has ended and one belongs to a connection, which ends with the server.
            ok(client, "{beginTransaction: 1, %s, $db: 'test'}".formatted(OTHER));
            ok(client, add("b", 1, OTHER));
            ok(client, "{commitTransaction: 1, %s, $db: 'test'}".formatted(OTHER));
            ok(client, "{beginTransaction: 1, $db: 'test'}");
            end(server, kill);
        }
        try (var server = start();
                var client = new RawClient(server.awaitReady())) {
            assertThat(code(client, add("b", 10, SESSION))).isEqualTo(251);
            assertThat(code(client, add("b", 10, SESSION + ", txnNumber: NumberLong(1)")))
                    .isEqualTo(251);
            assertThat(code(client, "{find: 'c', %s, $db: 'test'}".formatted(SESSION)))
                    .isEqualTo(251);
            end(server, kill);
        }
        try (var server = start();
                var client = new RawClient(server.awaitReady())) {
            assertThat(code(client, "{commitTransaction: 1, %s, $db: 'test'}".formatted(SESSION)))
                    .isEqualTo(251);
            assertThat(code(client, "{commitTransaction: 1, %s, $db: 'test'}".formatted(SESSION)))
                    .isEqualTo(16788);
            ok(client, add("b", 2, OTHER));
            ok(client, add("b", 4, SESSION));
            ok(client, "{beginTransaction: 1, %s, $db: 'test'}".formatted(SESSION));
            ok(client, add("a", -10, SESSION));
            end(server, kill);
        }
        try (var server = start();
                var client = new RawClient(server.awaitReady())) {
            ok(client, "{beginTransaction: 1, %s, $db: 'test'}".formatted(SESSION));
            ok(client, add("a", -20, SESSION));
            ok(client, add("b", 20, SESSION));
            ok(client, "{commitTransaction: 1, %s, $db: 'test'}".formatted(SESSION));
            ok(client, "{beginTransaction: 1, %s, $db: 'test'}".formatted(SESSION));
            end(server, kill);
        }
        try (var server = start();
                var client = new RawClient(server.awaitReady())) {
            ok(client, "{rollbackTransaction: 1, %s, $db: 'test'}".formatted(SESSION));
            var found = client.run(command("{find: 'c', sort: {_id: 1}, %s, $db: 'test'}".formatted(SESSION)));
            assertThat(found.toString()).contains("\"a\", \"n\": 80").contains("\"b\", \"n\": 127");
        }
    }

    private static void end(ServerProcess server, boolean kill) throws Exception {
        if (kill) {
            server.kill();
        } else {
            server.terminate();
            server.awaitExitCode();
        }
    }

    private ServerProcess start() throws IOException {
        return ServerProcess.start(folder, "--dbpath", folder.resolve("data").toString(), "--port", "0");
    }

    private static String add(String id, int n, String session) {
        return "{update: 'c', updates: [{q: {_id: '%s'}, u: {$inc: {n: %d}}}], %s, $db: 'test'}"
                .formatted(id, n, session);
    }

    private static void ok(RawClient client, String command) throws IOException {
        RawDocument reply = client.run(command(command));
        assertThat(reply.toString()).as(command).contains("\"ok\": 1").doesNotContain("writeErrors");
    }

    private static RawDocument command(String text) {
        var bytes = new RawBsonDocument(BsonDocument.parse(text), new BsonDocumentCodec()).getByteBuffer();
        var copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return RawDocument.of(copy);
    }

    private static int code(RawClient client, String command) throws IOException {
        RawDocument reply = client.run(command(command));
        return reply.get("code") instanceof Value.Int32(int code) ? code : 0;
    }
}
