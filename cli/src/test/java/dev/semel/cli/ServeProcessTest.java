package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClients;
import dev.semel.golden.certificate.Certificates;
import dev.semel.wire.bson.BsonWriter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
    void endsAtOnceWithALineWhenMemoryRunsOut() throws Exception {
        try (var server = ServerProcess.start(folder, HungryServer.class, "--memory", "--port", "0", "--slowms", "0");
                var client = new RawClient(server.awaitReady())) {
            client.send(new BsonWriter()
                    .put("ping", 1)
                    .put("comment", HungryServer.COMMENT)
                    .put("$db", "admin")
                    .finish());
            assertThat(server.awaitExitCode()).isEqualTo(3);
            // Others may follow: of another thread that runs out of memory at the same moment, the JVM tells.
            assertThat(server.errors().lines())
                    .contains(
                            "semel serve: out of memory: Java heap space; the process ends at once. -Xmx gives it more"
                                    + " memory; docs/limits.md says what takes how much");
        }
    }

    @Test
    void oneOptionOfTlsIsEnoughForAUriThatWorks() throws Exception {
        var owner = new Certificates(folder).make("localhost", "dns:localhost", Certificates.Form.PKCS_8, "");
        try (var server = ServerProcess.start(
                folder,
                "--memory",
                "--port",
                "0",
                "--tlsCertificateKeyFile",
                owner.both().toString())) {
            var uri = server.awaitReady();
            assertThat(uri).matches("mongodb://localhost:[0-9]+/\\?replicaSet=rs0&tls=true");
            try (var client = dev.semel.driver.MongoClients.create(uri + "&tlsCAFile=" + owner.certificate())) {
                client.getDatabase("db").getCollection("c").insertOne(new Document("_id", 1));
                assertThat(client.getDatabase("db").getCollection("c").find().first())
                        .isEqualTo(new Document("_id", 1));
            }
            try (var client = MongoClients.create(
                    uri.replace("&tls=true", "&connectTimeoutMS=5000&serverSelectionTimeoutMS=1000"))) {
                assertThatThrownBy(() -> client.listDatabaseNames().first()).isInstanceOf(MongoException.class);
            }
            server.terminate();
            assertThat(server.awaitExitCode()).isZero();
            assertThat(server.errors())
                    .contains("\"tls\": \"requireTLS\"")
                    .contains("Closing a connection that is not encrypted, because this server requires TLS");
        }
    }

    @Test
    void keyOfAnotherCertificateEndsItWith2() throws Exception {
        var certificates = new Certificates(folder);
        var own = certificates.make("localhost", "", Certificates.Form.PKCS_8, "");
        var other = certificates.make("other", "", Certificates.Form.PKCS_8, "");
        var key = Files.readString(own.both()).replaceFirst("(?s)-----BEGIN CERTIFICATE.*", "");
        var mixed = Files.writeString(folder.resolve("mixed.pem"), key + Files.readString(other.certificate()));
        assertEnds(
                2,
                "--tlsCertificateKeyFile: the file " + mixed + " cannot be used: the private key does not belong",
                "--memory",
                "--tlsCertificateKeyFile",
                mixed.toString());
    }

    @Test
    void fileThatCannotBeWrittenIsNamedBeforeTheServerStarts() throws Exception {
        var nowhere = folder.resolve("nowhere");
        var arguments = new String[] {
            "--memory",
            "--port",
            "0",
            "--pidfilepath",
            nowhere.resolve("x.pid").toString(),
            "--ready-file",
            folder.toString()
        };
        try (var server = ServerProcess.start(folder, arguments)) {
            assertThat(server.awaitExitCode()).isEqualTo(2);
            assertThat(server.errors().lines())
                    .containsExactly(
                            "semel serve: --pidfilepath: cannot write " + nowhere.resolve("x.pid")
                                    + ": there is no folder " + nowhere,
                            "semel serve: --ready-file: cannot write " + folder + ": it is a folder",
                            "Try 'semel serve --help'.");
        }
    }

    @Test
    void fileMayBeInTheFolderThatTheServerMakes() throws Exception {
        var data = folder.resolve("new/data");
        var arguments = new String[] {
            "--dbpath",
            data.toString(),
            "--port",
            "0",
            "--pidfilepath",
            folder.resolve("new/x.pid").toString(),
            "--ready-file",
            data.resolve("ready").toString()
        };
        try (var server = ServerProcess.start(folder, arguments)) {
            var uri = server.awaitReady();
            assertThat(data.resolve("ready")).content().isEqualTo(uri + System.lineSeparator());
            assertThat(folder.resolve("new/x.pid")).exists();
        }
    }

    @Test
    void startAndEndAreInTheLogAndSoIsWhatHasNoEffect() throws Exception {
        try (var server = ServerProcess.start(
                folder, "--memory", "--port", "0", "--auth", "--logFormat", "text", "--nounixsocket")) {
            server.awaitReady();
            server.terminate();
            assertThat(server.awaitExitCode()).isZero();
            var time = "[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}";
            assertThat(server.errors()
                            .lines()
                            .map(each -> each.replaceFirst(time, "TIME").replaceAll("[0-9]+", "N")))
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .matches("TIME INFO  Starting Semel .* pid=N java=\\S+ heapMegabytesMax=N"
                                            + " \\(CONTROL main\\)"),
                            line -> assertThat(line)
                                    .isEqualTo("TIME INFO  An option has no effect here option=--nounixsocket"
                                            + " reason='Semel listens on no Unix domain socket' (CONTROL main)"),
                            line -> assertThat(line)
                                    .isEqualTo("TIME INFO  Waiting for connections address=N.N.N.N:N replicaSet=rsN"
                                            + " engine=memory tls=disabled accessControl=true (NETWORK main)"),
                            line -> assertThat(line)
                                    .isEqualTo("TIME WARN  Access control is on and there is no user yet: a client on"
                                            + " this machine may create the first one in the database admin, with"
                                            + " createUser, or initiate a replica set, and nothing else is allowed"
                                            + " (CONTROL main)"),
                            line -> assertThat(line).isEqualTo("TIME INFO  Stopping signal=SIGTERM (CONTROL main)"),
                            line -> assertThat(line).isEqualTo("TIME INFO  Stopped (CONTROL main)"));
        }
    }

    @Test
    void logFileOfAMongodConfIsWritten() throws Exception {
        var log = folder.resolve("mongod.log");
        var file = Files.writeString(folder.resolve("mongod.conf"), """
            storage:
              dbPath: %s
              journal:
                enabled: true
            systemLog:
              destination: file
              logAppend: true
              path: %s
            net:
              port: 0
              bindIp: 127.0.0.1
            processManagement:
              timeZoneInfo: /usr/share/zoneinfo
            """.formatted(folder.resolve("data"), log));
        Files.writeString(log, "what was there\n");
        try (var server = ServerProcess.start(folder, "--config", file.toString())) {
            server.awaitReady();
            server.terminate();
            assertThat(server.awaitExitCode()).isZero();
            assertThat(server.errors()).isEmpty();
        }
        assertThat(Files.readAllLines(log))
                .hasSize(7)
                .startsWith("what was there")
                .anySatisfy(line -> assertThat(line)
                        .contains("\"msg\": \"An option has no effect here\"")
                        .contains("storage.journal.enabled"))
                .anySatisfy(line -> assertThat(line).contains("\"msg\": \"Stopped\""));
    }

    @Test
    void folderThatCannotBeWrittenIsNamedWithTheReason() throws Exception {
        var file = Files.writeString(folder.resolve("file"), "x");
        assertEndsSaying(file, "cannot create the directory " + file + ": it is not a folder");
        var below = file.resolve("data");
        assertEndsSaying(below, "cannot create the directory " + below + ": not a directory");
        var foreign = Files.createDirectory(folder.resolve("mongo"));
        Files.writeString(foreign.resolve("WiredTiger"), "x");
        assertEndsSaying(foreign, "the directory " + foreign + " holds the data of a mongod, which Semel cannot read");
        assertThat(foreign).isDirectoryContaining("glob:**WiredTiger").isDirectoryNotContaining("glob:**semel*");
    }

    /** What keeps others out keeps the one who runs everything out of nothing. */
    @Test
    void folderOfAnotherUserIsNamedWithTheReason() throws Exception {
        var closed = Files.createDirectory(
                folder.resolve("closed"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-x------")));
        assumeFalse(Files.isWritable(closed), "root may write everywhere");
        assertEndsSaying(closed, "cannot write to the directory " + closed + ": permission denied");
    }

    private void assertEndsSaying(Path data, String message) throws IOException, InterruptedException {
        try (var server = ServerProcess.start(folder, "--dbpath", data.toString(), "--port", "0")) {
            assertThat(server.awaitExitCode()).isEqualTo(100);
            assertThat(server.errors().lines().filter(line -> !line.startsWith("{")))
                    .containsExactly("semel serve: " + message);
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
