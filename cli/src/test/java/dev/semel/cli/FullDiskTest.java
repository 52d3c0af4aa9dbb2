package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A limit on the size of files stands for the end of the disk: a write fails in the middle of a commit. */
class FullDiskTest {
    private static final Path PRLIMIT = Path.of("/usr/bin/prlimit");
    private static final int FILE_BYTES_MAX = 8 << 20;
    private static final int TEXT_BYTES = 100_000;
    private static final int INSERTS_MAX = 10_000;

    @TempDir
    private Path folder;

    private ServerProcess start() throws IOException {
        return ServerProcess.start(
                folder,
                "--dbpath",
                folder.resolve("data").toString(),
                "--port",
                "0",
                "--pidfilepath",
                pidFile().toString());
    }

    private Path pidFile() {
        return folder.resolve("pid");
    }

    private static RawDocument insert(int id) {
        return new BsonWriter()
                .put("insert", "c")
                .startArray("documents")
                .startDocument()
                .put("_id", id)
                .put("t", "x".repeat(TEXT_BYTES))
                .end()
                .end()
                .put("$db", "test")
                .finish();
    }

    @Test
    void theServerEndsAndWhatItAcknowledgedIsThereAfterwards() throws Exception {
        assumeTrue(Files.isExecutable(PRLIMIT));
        List<Integer> acknowledged = new ArrayList<>();
        try (var server = start();
                var client = new RawClient(server.awaitReady())) {
            var limit = new ProcessBuilder(
                            PRLIMIT.toString(), "--pid", Long.toString(server.pid()), "--fsize=" + FILE_BYTES_MAX)
                    .start();
            assertThat(limit.waitFor()).isZero();
            assertThat(pidFile()).hasContent(Long.toString(server.pid()));
            try {
                for (int id = 0; id < INSERTS_MAX; id++) {
                    assertThat(client.run(insert(id)).get("n")).isEqualTo(Value.of(1));
                    acknowledged.add(id);
                }
            } catch (IOException ended) {
                // By the server; it has said why.
            }
            assertThat(server.awaitExitCode()).isEqualTo(14);
            assertThat(server.errors()).contains("semel serve: cannot go on: ", "File too large");
            assertThat(pidFile()).doesNotExist();
        }
        assertThat(acknowledged).hasSizeBetween(10, INSERTS_MAX - 1);
        try (var server = start();
                var client = new RawClient(server.awaitReady())) {
            for (int id : acknowledged) {
                var find = new BsonWriter()
                        .put("count", "c")
                        .startDocument("query")
                        .put("_id", id)
                        .end();
                assertThat(client.run(find.put("$db", "test").finish()).get("n"))
                        .isEqualTo(Value.of(1));
            }
            var next = acknowledged.size() + 1;
            assertThat(client.run(insert(next)).get("n")).isEqualTo(Value.of(1));
        }
    }
}
