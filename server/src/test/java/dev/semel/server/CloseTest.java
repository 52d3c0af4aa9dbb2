package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server ends what its clients have left open, and so need not wait for it. */
@Isolated("compares times")
class CloseTest {
    private static final String SESSION =
            "'lsid': {'id': {'$binary': {'base64': 'AAAAAAAAAAAAAAAAAAAAAA==', 'subType': '04'}}}";
    private static final String START =
            ", 'txnNumber': {'$numberLong': '1'}, 'autocommit': false, 'startTransaction': true";
    private static final String INSERT = "'insert': 'c', 'documents': [{'_id': 2}]";

    /** Otherwise the store waits for two seconds. */
    private static final Duration CLOSE_MAX = Duration.ofMillis(1500);

    @TempDir
    private Path folder;

    private Server start() throws IOException {
        return Server.start(ServerOptions.directory(folder));
    }

    private static RawDocument command(String fields) {
        return Json.parse(("{" + fields + ", '$db': 'db'}").replace('\'', '"'));
    }

    private static RawDocument run(LocalConnection client, String command) {
        RawDocument reply = client.run(command(command));
        assertThat(reply.get("ok")).as(reply::toString).isEqualTo(Value.of(1.0));
        return reply;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {INSERT + ", " + SESSION + START, "'beginTransaction': 1", "'beginTransaction': 1, " + SESSION})
    void openTransactionOfAClientThatIsStillThereIsRolledBackAtOnce(String begin) throws IOException {
        Server server = start();
        LocalConnection client = server.connect();
        run(client, "'insert': 'c', 'documents': [{'_id': 1}]");
        run(client, begin);
        if (!begin.startsWith(INSERT)) {
            run(client, begin.replace("'beginTransaction': 1", INSERT));
        }
        long closing = System.nanoTime();
        server.close();
        assertThat(Duration.ofNanos(System.nanoTime() - closing)).isLessThan(CLOSE_MAX);
        client.close();
        try (Server again = start();
                LocalConnection other = again.connect()) {
            assertThat(run(other, "'count': 'c'").get("n")).isEqualTo(Value.of(1));
        }
    }

    /** It must not go on without one. */
    @ParameterizedTest
    @ValueSource(strings = {INSERT, "'commitTransaction': 1"})
    void sessionLearnsThatItsTransactionWasRolledBack(String next) throws IOException {
        try (Server server = start();
                LocalConnection client = server.connect()) {
            run(client, "'beginTransaction': 1, " + SESSION);
        }
        try (Server again = start();
                LocalConnection other = again.connect()) {
            RawDocument reply = other.run(command(next + ", " + SESSION));
            assertThat(reply.get("errmsg"))
                    .isEqualTo(Value.of(
                            "The transaction was rolled back because the server was restarted or another one became"
                                    + " the primary. Begin it again"));
        }
    }
}
