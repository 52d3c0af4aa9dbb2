package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.semel.golden.certificate.Certificates;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import dev.semel.server.tls.Tls;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files into a server and out again. */
class ImportExportTest {
    @TempDir
    private Path folder;

    private Server server;
    private MongoClient client;
    private final StringWriter said = new StringWriter();

    @BeforeEach
    void start() throws IOException {
        server = Server.start(ServerOptions.memory());
        client = MongoClients.create(server.connectionString());
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void importsAnArrayInsideAnObject() throws IOException {
        var file = file("iso_3166-1.json", "{\"3166-1\": [{\"alpha_2\": \"AW\"}, {\"alpha_2\": \"AF\"}]}");
        assertThat(run("import", "-c", "countries", "--root", "3166-1", file)).isZero();
        assertThat(countries().find().sort(new Document("alpha_2", 1)).projection(new Document("_id", 0)))
                .containsExactly(new Document("alpha_2", "AF"), new Document("alpha_2", "AW"));
        assertThat(said.toString()).contains("imported 2 documents into db.countries");
    }

    @Test
    void reportsTheLineOfADuplicateAndGoesOn() throws IOException {
        var file = file("lines.json", "{\"_id\": 1}\n{\"_id\": 1}\n{\"_id\": oops}\n{\"_id\": 2}\n");
        assertThat(run("import", "-c", "countries", file)).isEqualTo(1);
        assertThat(ids()).containsExactly(1, 2);
        assertThat(said.toString()).contains("line 2: ", "E11000", "line 3: ", "2 failed");
    }

    @Test
    void stopOnErrorStopsAtTheFirstError() throws IOException {
        var file = file("lines.json", "{\"_id\": 1}\n{\"_id\": 1}\n{\"_id\": 2}\n");
        assertThat(run("import", "-c", "countries", "--stopOnError", "--batchSize", "1", file))
                .isEqualTo(1);
        assertThat(ids()).containsExactly(1);
    }

    @Test
    void stopOnErrorUndoesTheBatchWithTheError() throws IOException {
        var file = file("lines.json", "{\"_id\": 1}\n{\"_id\": 1}\n{\"_id\": 2}\n");
        assertThat(run("import", "-c", "countries", "--stopOnError", file)).isEqualTo(1);
        assertThat(ids()).isEmpty();
        assertThat(said.toString()).contains("imported 0 documents");
    }

    @Test
    void upsertReplacesByTheNamedFields() throws IOException {
        countries().insertOne(new Document("_id", 7).append("code", "CH").append("name", "?"));
        var file = file("countries.csv", "code,name\nCH,Switzerland\nFR,France\n");
        assertThat(run("import", "-c", "countries", "--headerline", "--upsert", "--upsertFields", "code", file))
                .isZero();
        assertThat(countries().find(new Document("code", "CH")))
                .containsExactly(new Document("_id", 7).append("code", "CH").append("name", "Switzerland"));
        assertThat(countries().countDocuments()).isEqualTo(2);
    }

    @Test
    void dropEmptiesTheCollectionFirst() throws IOException {
        countries().insertOne(new Document("_id", 1));
        assertThat(run("import", "-c", "countries", "--drop", file("lines.json", "{\"_id\": 2}")))
                .isZero();
        assertThat(ids()).containsExactly(2);
    }

    @Test
    void canonicalExportComesBackAsItWas() throws IOException {
        var text =
                "{\"_id\": {\"$numberLong\": \"1\"}, \"d\": {\"$numberDouble\": \"1.0\"}, \"m\": {\"$numberDecimal\":"
                        + " \"1.10\"}, \"t\": {\"$date\": {\"$numberLong\": \"0\"}}, \"b\": {\"$binary\": {\"base64\":"
                        + " \"AQ==\", \"subType\": \"00\"}}, \"a\": [null, true, {}]}\n";
        assertThat(run("import", "-c", "countries", file("in.json", text))).isZero();
        var out = folder.resolve("out.json");
        assertThat(run("export", "-c", "countries", "--jsonFormat", "canonical", "--out", out.toString()))
                .isZero();
        assertThat(out).content().isEqualTo(text);
    }

    @Test
    void exportsWhatAQueryFinds() throws IOException {
        for (int i = 0; i < 10; i++) {
            countries().insertOne(new Document("_id", i).append("place", new Document("lat", i / 2.0)));
        }
        var out = folder.resolve("out.csv");
        assertThat(run(
                        "export",
                        "-c",
                        "countries",
                        "--type",
                        "csv",
                        "--fields",
                        "_id,place.lat",
                        "--query",
                        "{\"_id\": {\"$gte\": 3}}",
                        "--sort",
                        "{\"_id\": -1}",
                        "--skip",
                        "1",
                        "--limit",
                        "2",
                        "--out",
                        out.toString()))
                .isZero();
        assertThat(out).content().isEqualToNormalizingNewlines("_id,place.lat\n8,4.0\n7,3.5\n");
    }

    @Test
    void anArrayIsAnArrayAlsoWhenNothingIsFound() throws IOException {
        var out = folder.resolve("out.json");
        assertThat(run("export", "-c", "countries", "--jsonArray", "--out", out.toString()))
                .isZero();
        assertThat(out).content().isEqualTo("[]\n");
        countries().insertMany(List.of(new Document("_id", 1), new Document("_id", 2)));
        assertThat(run("export", "-c", "countries", "--jsonArray", "--out", out.toString()))
                .isZero();
        assertThat(out).content().isEqualTo("[\n{\"_id\": 1},\n{\"_id\": 2}\n]\n");
    }

    @Test
    @Timeout(20)
    void unreachableServerIsOneLine() throws IOException {
        var port = server.address();
        server.close();
        assertThat(run("import", "-c", "countries", file("lines.json", "{}"))).isEqualTo(1);
        assertThat(run(
                        "export",
                        "-c",
                        "countries",
                        "--out",
                        folder.resolve("out").toString()))
                .isEqualTo(1);
        assertThat(said.toString().lines())
                .containsExactly(
                        "semel import: cannot connect to " + port + ": Connection refused",
                        "semel export: cannot connect to " + port + ": Connection refused");
    }

    @Test
    void fileThatCannotBeWrittenIsNamedWithTheReason() {
        var nowhere = folder.resolve("nowhere/out.json").toString();
        assertThat(run("export", "-c", "countries", "--out", nowhere)).isEqualTo(2);
        assertThat(said.toString())
                .startsWith("semel export: --out: cannot write " + nowhere + ": no such file or folder\n");
    }

    @Test
    void refusalOfTheServerIsOneLine() {
        assertThat(run(
                        "export",
                        "-c",
                        "countries",
                        "--out",
                        folder.resolve("out").toString(),
                        "--query",
                        "{\"a\": {\"$foo\": 2}}"))
                .isEqualTo(1);
        assertThat(said.toString()).isEqualTo("semel export: BadValue: unknown operator: $foo\n");
    }

    @Test
    void unknownOptionOfTheConnectionStringIsRefused() {
        assertThat(runAt(server.connectionString() + "&tlsCAFiles=ca.pem", "export", "-c", "countries"))
                .isEqualTo(2);
        assertThat(said.toString()).contains("--uri: ", "tlsCAFiles");
    }

    @Test
    void certificatesOfTheConnectionStringAreUsed() throws Exception {
        var owner = new Certificates(folder).make("localhost", "ip:127.0.0.1", Certificates.Form.PKCS_8, "");
        var tls = Tls.of(Tls.Mode.requireTLS, owner.both(), null, owner.certificate(), false);
        try (var secured = Server.start(ServerOptions.memory().tls(tls))) {
            // Otherwise three seconds count, in which a busy machine may not finish the first TLS handshake.
            var uri = "mongodb://" + secured.address()
                    + "/?replicaSet=rs0&serverSelectionTimeoutMS=60000&tls=true&tlsCAFile=" + owner.certificate()
                    + "&tlsCertificateKeyFile=" + owner.both();
            assertThat(runAt(uri, "import", "-c", "countries", file("lines.json", "{\"_id\": 1}")))
                    .as(said.toString())
                    .isZero();
            var out = folder.resolve("out.json");
            assertThat(runAt(uri, "export", "-c", "countries", "--out", out.toString()))
                    .as(said.toString())
                    .isZero();
            assertThat(out).content().isEqualTo("{\"_id\": 1}\n");
        }
    }

    @Test
    void exportToStandardOutputLeavesItOpen() {
        countries().insertOne(new Document("_id", 1));
        var isClosed = new AtomicBoolean();
        var out = new StringWriter() {
            @Override
            public void close() {
                isClosed.set(true);
            }
        };
        for (String form : List.of("--jsonArray", "--jsonFormat=canonical", "--type=csv")) {
            var main = Main.commandLine(Map.of());
            var export = Objects.requireNonNull(main.getSubcommands().get("export"));
            export.setOut(new PrintWriter(out));
            export.setErr(new PrintWriter(said, true));
            assertThat(main.execute(
                            "export",
                            "--uri",
                            server.connectionString(),
                            "--db",
                            "db",
                            "-c",
                            "countries",
                            form,
                            form.contains("csv") ? "--fields=_id" : "--limit=1"))
                    .isZero();
        }
        assertThat(out).hasToString("[\n{\"_id\": 1}\n]\n{\"_id\": {\"$numberInt\": \"1\"}}\n_id\r\n1\r\n");
        assertThat(isClosed).isFalse();
    }

    private MongoCollection<Document> countries() {
        return client.getDatabase("db").getCollection("countries");
    }

    private List<Integer> ids() {
        return countries()
                .find()
                .sort(new Document("_id", 1))
                .map(each -> each.getInteger("_id"))
                .into(new ArrayList<>());
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content).toString();
    }

    private int run(String command, String... arguments) {
        return runAt(server.connectionString(), command, arguments);
    }

    private int runAt(String uri, String command, String... arguments) {
        var words = new ArrayList<>(List.of(command, "--uri", uri, "--db", "db"));
        words.addAll(List.of(arguments));
        var main = Main.commandLine(Map.of());
        main.getSubcommands().values().forEach(each -> each.setErr(new PrintWriter(said, true)));
        return main.execute(words.toArray(String[]::new));
    }
}
