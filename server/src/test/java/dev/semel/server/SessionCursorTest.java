package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.statement.Unquoted;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cursors and the end of the session that opens them. */
@Timeout(60)
class SessionCursorTest {
    private static final String SESSION = "{id: {'$uuid': '00000000-0000-4000-8000-000000000001'}}";

    private static RawDocument run(LocalConnection connection, String database, String command) {
        return connection.run(new BsonWriter()
                .copyAll(Unquoted.document(command))
                .put("$db", database)
                .finish());
    }

    private static Value number(RawDocument reply, String... path) {
        RawDocument at = reply;
        for (int i = 0; i < path.length - 1; i++) {
            assertThat(at.get(path[i])).isInstanceOf(Value.Doc.class);
            at = ((Value.Doc) java.util.Objects.requireNonNull(at.get(path[i]))).document();
        }
        return java.util.Objects.requireNonNull(at.get(path[path.length - 1]));
    }

    /** The session is ended when the command has it and has not opened the cursor yet. */
    @Test
    void aCursorThatIsOpenedWhileItsSessionEndsIsGone() throws Exception {
        try (Server server = Server.start(ServerOptions.memory().inProcess());
                LocalConnection finder = server.connectAsClient();
                LocalConnection other = server.connectAsClient();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            run(other, "db", "{insert: 'c', documents: [{a: 1}, {a: 2}, {a: 3}]}");
            run(
                    other,
                    "admin",
                    "{configureFailPoint: 'failCommand', mode: {times: 1}, data: {failCommands: ['find'],"
                            + " blockConnection: true, blockTimeMS: 600}}");
            var finding = threads.submit(() -> run(finder, "db", "{find: 'c', batchSize: 1, lsid: " + SESSION + "}"));
            run(other, "admin", "{waitForFailPoint: 'failCommand', timesEntered: 1, maxTimeMS: 10000}");
            run(other, "admin", "{endSessions: [" + SESSION + "]}");
            assertThat(number(finding.get(30, TimeUnit.SECONDS), "cursor", "id"))
                    .isNotEqualTo(Value.of(0L));
            RawDocument status = run(other, "admin", "{serverStatus: 1}");
            assertThat(number(status, "metrics", "cursor", "open", "total")).isEqualTo(Value.of(0L));
        }
    }
}
