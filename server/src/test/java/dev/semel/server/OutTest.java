package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What becomes of {@code $out} when others meddle with it. */
class OutTest {
    private static final int DOCUMENTS = 5_000;

    /** So many, because not every drop falls between two batches. */
    private static final int FAILURES = 20;

    private static final Duration ATMOST = Duration.ofSeconds(60);

    private static RawDocument run(LocalConnection connection, String command) {
        return connection.run(Json.parse(command));
    }

    /** The results are there as a whole, or the command has failed, although its temporary collection is dropped again and again. */
    @Test
    void isWholeOrFails() throws Exception {
        try (Server server = Server.start(ServerOptions.memory().inProcess());
                LocalConnection connection = server.connectAsClient();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            insert(connection);
            var ends = new AtomicBoolean();
            var dropping = threads.submit(() -> dropTemporary(server, ends));
            int failed = 0;
            int whole = 0;
            try {
                long deadline = System.nanoTime() + ATMOST.toNanos();
                while (failed < FAILURES && System.nanoTime() - deadline < 0) {
                    RawDocument reply = run(
                            connection,
                            "{\"aggregate\": \"c\", \"pipeline\": [{\"$out\": \"o\"}], \"cursor\": {}, \"$db\":"
                                    + " \"db\"}");
                    if (Value.of(1.0).equals(reply.get("ok"))) {
                        whole++;
                    } else {
                        failed++;
                    }
                    RawDocument count = run(connection, "{\"count\": \"o\", \"$db\": \"db\"}");
                    assertThat(count.get("n"))
                            .as("after %d whole and %d failed: %s", whole, failed, reply)
                            .isEqualTo(Value.of(whole == 0 ? 0 : DOCUMENTS));
                }
            } finally {
                ends.set(true);
            }
            dropping.get();
            assertThat(failed).as("dropped in time").isEqualTo(FAILURES);
        }
    }

    private static void insert(LocalConnection connection) {
        BsonWriter insert = new BsonWriter().put("insert", "c").put("$db", "db").startArray("documents");
        for (int i = 0; i < DOCUMENTS; i++) {
            insert.startDocument().put("_id", i).end();
        }
        RawDocument reply = connection.run(insert.end().finish());
        assertThat(reply.get("n")).isEqualTo(Value.of(DOCUMENTS));
    }

    private static Void dropTemporary(Server server, AtomicBoolean ends) {
        try (LocalConnection connection = server.connectAsClient()) {
            while (!ends.get()) {
                RawDocument reply = run(
                        connection,
                        "{\"listCollections\": 1, \"nameOnly\": true, \"filter\": {\"name\": {\"$regex\": \"^tmp\"}},"
                                + " \"$db\": \"db\"}");
                if (reply.get("cursor") instanceof Value.Doc(RawDocument cursor)
                        && cursor.get("firstBatch") instanceof Value.Array(RawDocument batch)) {
                    for (Element each : batch) {
                        if (each.value() instanceof Value.Doc(RawDocument collection)
                                && collection.get("name") instanceof Value.Str(Text name)) {
                            connection.run(new BsonWriter()
                                    .put("drop", name.toString())
                                    .put("$db", "db")
                                    .finish());
                        }
                    }
                }
            }
        }
        return null;
    }
}
