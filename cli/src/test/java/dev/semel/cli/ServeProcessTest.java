package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClients;
import dev.semel.wire.bson.BsonWriter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server as a process: what it prints, what it leaves, and what it ends with. */
class ServeProcessTest {
    @TempDir
    private Path folder;

    @Test
    void printsOneLineAndEndsWithZeroOnTerm() throws Exception {
        var ready = folder.resolve("ready");
        try (var server = ServerProcess.start(
                folder,
                "--dbpath",
                folder.resolve("data").toString(),
                "--port",
                "0",
                "--ready-file",
                ready.toString())) {
            var uri = server.awaitReady();
            assertThat(uri).matches("mongodb://127\\.0\\.0\\.1:[0-9]+/\\?replicaSet=rs0");
            assertThat(ready).content().isEqualTo(uri + System.lineSeparator());
            server.terminate();
            assertThat(server.awaitExitCode()).isZero();
            assertThat(server.furtherOutput()).isEmpty();
            assertThat(ready).doesNotExist();
        }
    }

    @Test
    void endsWithZeroWhenAClientShutsItDown() throws Exception {
        try (var server = ServerProcess.start(folder, "--memory", "--port", "0");
                var client = MongoClients.create(server.awaitReady())) {
            try {
                client.getDatabase("admin").runCommand(new Document("shutdown", 1));
            } catch (MongoException e) {
                // The answer to this command is a closed connection.
                assertThat(e).isNotNull();
            }
            assertThat(server.awaitExitCode()).isZero();
        }
    }

    @Test
    void dataSurvivesACleanStop() throws Exception {
        var data = folder.resolve("data").toString();
        try (var server = ServerProcess.start(folder, "--dbpath", data, "--port", "0");
                var client = MongoClients.create(server.awaitReady())) {
            client.getDatabase("db").getCollection("things").insertOne(new Document("_id", 1));
            server.terminate();
            assertThat(server.awaitExitCode()).isZero();
        }
        try (var server = ServerProcess.start(folder, "--dbpath", data, "--port", "0");
                var client = MongoClients.create(server.awaitReady())) {
            assertThat(client.getDatabase("db").getCollection("things").find()).containsExactly(new Document("_id", 1));
        }
    }

    @Test
    void aStandaloneServerNamesNoReplicaSet() throws Exception {
        try (var server = ServerProcess.start(folder, "--memory", "--standalone", "--port", "0")) {
            var uri = server.awaitReady();
            assertThat(uri).doesNotContain("replicaSet");
            try (var client = MongoClients.create(uri)) {
                assertThat(client.getDatabase("admin").runCommand(new Document("hello", 1)))
                        .doesNotContainKey("setName");
            }
        }
    }

    @Test
    void aDirectoryInUseEndsTheSecondServerWith100() throws Exception {
        var data = folder.resolve("data").toString();
        try (var first = ServerProcess.start(folder, "--dbpath", data, "--port", "0")) {
            first.awaitReady();
            assertEnds(100, data, "--dbpath", data, "--port", "0");
        }
    }

    @Test
    void aPortInUseEndsTheSecondServerWith48() throws Exception {
        try (var first = ServerProcess.start(folder, "--memory", "--port", "0")) {
            var port = Integer.toString(URI.create(first.awaitReady()).getPort());
            assertEnds(48, port, "--memory", "--port", port);
        }
    }

    @Test
    void aMistypedOptionEndsItWith2AndNamesTheNearest() throws Exception {
        assertEnds(2, "did you mean '--dbpath'?", "--dpath", "data");
    }

    @Test
    void endsAtOnceWithALastLineWhenMemoryRunsOut() throws Exception {
        try (var server = ServerProcess.start(folder, HungryServer.class, "--memory", "--port", "0", "--slowms", "0");
                var client = new RawClient(server.awaitReady())) {
            client.send(new BsonWriter()
                    .put("ping", 1)
                    .put("comment", HungryServer.COMMENT)
                    .put("$db", "admin")
                    .finish());
            assertThat(server.awaitExitCode()).isEqualTo(3);
            assertThat(server.errors().lines().toList().getLast())
                    .isEqualTo(
                            "semel serve: out of memory: Java heap space; the process ends at once. -Xmx gives it more"
                                    + " memory; docs/limits.md says what takes how much");
        }
    }

    private void assertEnds(int code, String message, String... arguments) throws IOException, InterruptedException {
        try (var server = ServerProcess.start(folder, arguments)) {
            assertThat(server.awaitExitCode()).isEqualTo(code);
            assertThat(server.errors()).contains(message);
            assertThat(server.furtherOutput()).isEmpty();
        }
    }
}
