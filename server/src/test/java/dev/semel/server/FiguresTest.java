package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What monitoring reads. */
final class FiguresTest {
    @Test
    void latenciesAreCountedByCollectionAndByKind() throws IOException {
        try (Server server = Server.start(ServerOptions.memory().inProcess());
                LocalConnection connection = server.connect()) {
            run(connection, "{'insert': 'c', 'documents': [{}, {}], '$db': 'd'}");
            run(connection, "{'find': 'c', '$db': 'd'}");
            run(connection, "{'count': 'c', '$db': 'd'}");
            run(connection, "{'find': 'other', '$db': 'd'}");
            run(connection, "{'collStats': 'c', '$db': 'd'}");
            RawDocument figures = figures(connection, "{}");
            assertThat(ops(figures, "reads")).isEqualTo(2);
            assertThat(ops(figures, "writes")).isEqualTo(1);
            assertThat(ops(figures, "commands")).isEqualTo(1);
            assertThat(ops(figures, "transactions")).isZero();
            assertThat(inner(figures, "reads").has("histogram")).isFalse();

            RawDocument all = inner(run(connection, "{'serverStatus': 1, '$db': 'admin'}"), "opLatencies");
            // The one of the figures counts too.
            assertThat(ops(all, "reads")).isEqualTo(4);
            assertThat(ops(all, "writes")).isEqualTo(1);
        }
    }

    @Test
    void aHistogramHasEachOperationOnce() throws IOException {
        try (Server server = Server.start(ServerOptions.memory().inProcess());
                LocalConnection connection = server.connect()) {
            for (int i = 0; i < 20; i++) {
                run(connection, "{'insert': 'c', 'documents': [{}], '$db': 'd'}");
            }
            RawDocument writes = inner(figures(connection, "{'histograms': true}"), "writes");
            Value.Array bars = (Value.Array) Objects.requireNonNull(writes.get("histogram"));
            long counted = 0;
            long before = -1;
            for (var bar : bars.elements()) {
                RawDocument fields = ((Value.Doc) bar.value()).document();
                assertThat(number(fields, "micros")).isGreaterThan(before);
                before = number(fields, "micros");
                assertThat(number(fields, "count")).isPositive();
                counted += number(fields, "count");
            }
            assertThat(counted).isEqualTo(20);
        }
    }

    @Test
    void theFileSystemIsThatOfTheData(@TempDir Path directory) throws IOException {
        try (Server server = Server.start(ServerOptions.directory(directory).inProcess());
                LocalConnection connection = server.connect()) {
            run(connection, "{'create': 'c', '$db': 'd'}");
            run(connection, "{'create': 'v', 'viewOn': 'c', 'pipeline': [], '$db': 'd'}");
            RawDocument figures = run(connection, "{'dbStats': 1, 'scale': 1024, '$db': 'd'}");
            assertThat(figures.get("collections")).isEqualTo(Value.of(1L));
            assertThat(figures.get("views")).isEqualTo(Value.of(1L));
            double total = Math.floor(Files.getFileStore(directory).getTotalSpace() / 1024.0);
            assertThat(figures.get("fsTotalSize")).isEqualTo(new Value.Double64(total));
            assertThat(((Value.Double64) Objects.requireNonNull(figures.get("fsUsedSize"))).value())
                    .isBetween(0.0, total);
        }
        try (Server server = Server.start(ServerOptions.memory().inProcess());
                LocalConnection connection = server.connect()) {
            assertThat(run(connection, "{'dbStats': 1, '$db': 'd'}").has("fsTotalSize"))
                    .isFalse();
        }
    }

    @Test
    void aLargeCommandIsShownAsTheBeginningOfItsText() throws IOException {
        try (Server server = Server.start(ServerOptions.memory().inProcess());
                LocalConnection connection = server.connect()) {
            BsonWriter command = new BsonWriter()
                    .put("aggregate", 1)
                    .put("$db", "admin")
                    .startArray("pipeline")
                    .add(parsed("{'$currentOp': {'truncateOps': true}}"))
                    .end()
                    .startDocument("cursor")
                    .end()
                    .startDocument("let")
                    .put("text", "x".repeat(1 << 20))
                    .end()
                    .put("comment", "shown");
            RawDocument cursor = inner(connection.run(command.finish()), "cursor");
            RawDocument shown = inner(first(cursor), "command");
            String text = ((Value.Str) Objects.requireNonNull(shown.get("$truncated")))
                    .text()
                    .toString();
            assertThat(text).startsWith("{ aggregate: 1, ").hasSizeBetween(1000, 1100);
            assertThat(shown.get("comment")).isEqualTo(Value.of("shown"));
        }
    }

    private static RawDocument figures(LocalConnection connection, String options) {
        RawDocument reply = run(
                connection,
                "{'aggregate': 'c', 'pipeline': [{'$collStats': {'latencyStats': " + options
                        + "}}], 'cursor': {}, '$db': 'd'}");
        return inner(first(inner(reply, "cursor")), "latencyStats");
    }

    private static RawDocument first(RawDocument cursor) {
        Value.Array batch = (Value.Array) Objects.requireNonNull(cursor.get("firstBatch"));
        Element first = Objects.requireNonNull(batch.elements().first());
        return ((Value.Doc) first.value()).document();
    }

    private static RawDocument run(LocalConnection connection, String command) {
        RawDocument reply = connection.run(parsed(command));
        assertThat(reply.get("ok")).isEqualTo(new Value.Double64(1));
        return reply;
    }

    private static RawDocument parsed(String json) {
        return Json.parse(json.replace('\'', '"'));
    }

    private static RawDocument inner(RawDocument document, String name) {
        return ((Value.Doc) Objects.requireNonNull(document.get(name))).document();
    }

    private static long ops(RawDocument figures, String kind) {
        return number(inner(figures, kind), "ops");
    }

    private static long number(RawDocument document, String name) {
        return ((Value.Int64) Objects.requireNonNull(document.get(name))).value();
    }
}
