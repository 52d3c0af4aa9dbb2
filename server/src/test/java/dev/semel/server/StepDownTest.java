package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The only member of a set, which was made to step down. */
class StepDownTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private static RawDocument run(LocalConnection connection, String command) throws Exception {
        return connection.run(Json.parse(command));
    }

    private static RawDocument hello(LocalConnection connection) throws Exception {
        return run(connection, "{\"hello\": 1, \"$db\": \"admin\"}");
    }

    @Test
    void isPrimaryAgainAfterTheTime() throws Exception {
        try (Server server = Server.start(ServerOptions.directory(folder).inProcess());
                LocalConnection connection = server.connectAsClient()) {
            RawDocument before = hello(connection);
            RawDocument reply = run(connection, "{\"replSetStepDown\": 1000, \"force\": true, \"$db\": \"admin\"}");
            assertThat(reply.get("ok")).as(reply.toString()).isEqualTo(Value.of(1.0));
            RawDocument meanwhile = hello(connection);
            RawDocument status = run(connection, "{\"replSetGetStatus\": 1, \"$db\": \"admin\"}");
            run(connection, "{\"replSetFreeze\": 1, \"$db\": \"admin\"}");
            long deadline = System.nanoTime() + SOON.toNanos();
            RawDocument after = hello(connection);
            while (!Value.of(true).equals(after.get("isWritablePrimary")) && System.nanoTime() - deadline < 0) {
                Thread.onSpinWait();
                after = hello(connection);
            }
            assertThat(meanwhile.get("isWritablePrimary")).isEqualTo(Value.of(false));
            assertThat(meanwhile.get("secondary")).isEqualTo(Value.of(true));
            assertThat(meanwhile.get("primary")).isNull();
            assertThat(status.get("myState")).isEqualTo(Value.of(2));
            assertThat(after.get("isWritablePrimary")).isEqualTo(Value.of(true));
            assertThat(after.get("secondary")).isEqualTo(Value.of(false));
            assertThat(after.get("primary")).isEqualTo(before.get("primary"));
            assertThat(after.get("electionId")).isEqualTo(before.get("electionId"));
        }
    }

    /** What a server that ends meanwhile has is there when it starts again. */
    @Test
    void endsAndStartsAgain() throws Exception {
        try (Server server = Server.start(ServerOptions.directory(folder).inProcess());
                LocalConnection connection = server.connectAsClient()) {
            run(connection, "{\"insert\": \"c\", \"documents\": [{\"_id\": 1}], \"$db\": \"db\"}");
            run(connection, "{\"replSetStepDown\": 1000, \"force\": true, \"$db\": \"admin\"}");
        }
        try (Server server = Server.start(ServerOptions.directory(folder).inProcess());
                LocalConnection connection = server.connectAsClient()) {
            RawDocument reply = run(
                    connection,
                    "{\"insert\": \"c\", \"documents\": [{\"_id\": 1}, {\"_id\": 2}], \"ordered\": false,"
                            + " \"$db\": \"db\"}");
            assertThat(reply.get("n")).as(reply.toString()).isEqualTo(Value.of(1));
        }
    }
}
