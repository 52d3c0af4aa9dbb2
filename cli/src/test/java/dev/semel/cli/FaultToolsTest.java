package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.driver.MongoClients;
import dev.semel.driver.MongoCollection;
import dev.semel.driver.model.UpdateOptions;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The errors of {@code proxy}, {@code audit} and {@code lab} for wrong usage, and the lab's tables. */
@Isolated("the verdicts of the lab and the audit depend on time limits")
class FaultToolsTest {
    private static final String CHECK = "{\"count\": \"c\", \"expect\": 1}";

    @TempDir
    private Path folder;

    private record Said(int code, String out, String err) {}

    private static Said run(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        var main = Main.commandLine(Map.of());
        main.setOut(new PrintWriter(out, true));
        main.setErr(new PrintWriter(err, true));
        main.getSubcommands().values().forEach(each -> {
            each.setOut(new PrintWriter(out, true));
            each.setErr(new PrintWriter(err, true));
        });
        int code = main.execute(arguments);
        return new Said(code, out.toString(), err.toString());
    }

    @Test
    void badPlanIsNamedWithItsLine() throws IOException {
        var plan = Files.writeString(folder.resolve("plan.yaml"), "- match: {command: insert}\n  action: explode\n");
        var said = run("proxy", "--listen", "0", "--plan", plan.toString());
        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("plan.yaml, line 2: unknown action 'explode'");
        Files.writeString(plan, "- {match: {command: insert}, action: badhandshake}\n");
        assertThat(run("proxy", "--listen", "0", "--plan", plan.toString()).err())
                .contains("--plan: 'badhandshake for ever' needs --tlsCertificateKeyFile");
    }

    @Test
    void whatCannotBeReachedOrReadEndsWithTwo() {
        assertThat(run("proxy", "--listen", "0", "--target", "mongodb://127.0.0.1:1"))
                .satisfies(said -> assertThat(said.err()).contains("cannot reach 127.0.0.1:1"))
                .extracting(Said::code)
                .isEqualTo(2);
        assertThat(run("proxy", "--listen", "0", "--plan", "nowhere.yaml").code())
                .isEqualTo(2);
        assertThat(run("proxy", "--listen", "0", "--replay", "nowhere.tape").code())
                .isEqualTo(2);
        assertThat(run("proxy").code()).isEqualTo(2);
        assertThat(run("proxy", "--listen", "70000").code()).isEqualTo(2);
        assertThat(run("proxy", "--bogus").code()).isEqualTo(2);
        assertThat(run("audit", "--target", "mongodb://127.0.0.1:1", "--exec", "true", "--check", CHECK)
                        .code())
                .isEqualTo(2);
        assertThat(run("audit", "--exec", "true", "--check", "x").err()).contains("--check: ");
        assertThat(run("audit", "--exec", "true", "--check", CHECK, "--faults", "outage,flood")
                        .err())
                .contains("--faults: there is no 'flood'; there are transient-error, second-fault, stall, outage,");
        assertThat(run("lab", "--bogus").code()).isEqualTo(2);
        assertThat(run("lab", "--kills=-1"))
                .isEqualTo(new Said(2, "", "semel lab: --kills is -1; it can be 0 or more\n"));
    }

    @Test
    void portThatIsTakenAndFileThatCannotBeWrittenAreNamed() throws IOException {
        try (var server = Server.start(ServerOptions.memory())) {
            var uri = server.connectionString();
            var taken = server.address().substring(server.address().indexOf(':') + 1);
            assertThat(run("proxy", "--target", uri, "--listen", taken))
                    .isEqualTo(new Said(48, "", "semel proxy: --listen " + taken + ": Address already in use\n"));
            assertThat(run("proxy", "--target", uri, "--listen", "0", "--control", taken)
                            .err())
                    .contains("--control " + taken + ": Address already in use");
            var nowhere = folder.resolve("nowhere/case.tape").toString();
            assertThat(run("proxy", "--target", uri, "--listen", "0", "--record", nowhere)
                            .err())
                    .contains("--record: cannot write " + nowhere + ": no such file or folder");
        }
    }

    /** Neither the server is asked nor the program run first. */
    @Test
    void reportThatCannotBeWrittenIsNamedBeforeTheWork() throws IOException {
        var nowhere = folder.resolve("nowhere");
        var page = nowhere.resolve("page.html");
        var file = Files.writeString(folder.resolve("file"), "x");
        assertThat(run(
                        "audit",
                        "--target",
                        "mongodb://127.0.0.1:1",
                        "--exec",
                        "true",
                        "--check",
                        CHECK,
                        "--html",
                        page.toString(),
                        "--json",
                        folder.toString(),
                        "--junit",
                        file.resolve("x.xml").toString()))
                .isEqualTo(new Said(
                        2,
                        "",
                        "semel audit: --html: cannot write " + page + ": there is no folder " + nowhere
                                + "\nsemel audit: --json: cannot write " + folder + ": it is a folder"
                                + "\nsemel audit: --junit: cannot write " + file.resolve("x.xml") + ": " + file
                                + " is not a folder\nTry 'semel audit --help'.\n"));
        assertThat(run("lab", "--html", page.toString()).err())
                .startsWith("semel lab: --html: cannot write " + page + ": there is no folder " + nowhere);
    }

    @Test
    void programThatFailsWithoutFaultsGetsNoVerdict() throws IOException {
        try (var server = Server.start(ServerOptions.memory())) {
            var said = run(
                    "audit", "--target", server.connectionString(), "--exec", "echo sorry; exit 3", "--check", CHECK);
            assertThat(said.code()).isEqualTo(2);
            assertThat(said.err())
                    .contains("the operation fails although nothing went wrong")
                    .contains("exit code 3")
                    .contains("sorry");
        }
    }

    @Test
    void halfAppliedTransferEndsWithOne() throws IOException {
        try (var server = Server.start(ServerOptions.memory())) {
            var said = run(
                    "audit",
                    "--target",
                    server.connectionString(),
                    "--exec",
                    java(Transfer.class),
                    "--check",
                    "{\"find\": \"accounts\", \"expect\": [{\"_id\": \"ann\", \"money\": -10}, {\"_id\": \"bob\","
                            + " \"money\": 10}]}",
                    "--faults",
                    "command-error",
                    "--quiet");
            assertThat(said.out()).contains("may half-apply");
            assertThat(said.err()).isEmpty();
            assertThat(said.code()).isEqualTo(1);
        }
    }

    /** As a command of the shell. */
    private static String java(Class<?> program) {
        return "'%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '%s' '%s'"
                .formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        System.getProperty("java.class.path"),
                        program.getName());
    }

    /** Two updates that should be one. */
    static final class Transfer {
        private Transfer() {}

        public static void main(String[] arguments) {
            String uri = System.getenv("MONGODB_URI");
            try (var client = MongoClients.create(uri)) {
                var accounts = client.getDatabase(Objects.requireNonNull(new ConnectionString(uri).getDatabase()))
                        .getCollection("accounts");
                add(accounts, "ann", -10);
                add(accounts, "bob", 10);
            }
        }

        private static void add(MongoCollection<Document> accounts, String id, int money) {
            var update = new Document("$inc", new Document("money", money));
            accounts.updateOne(new Document("_id", id), update, new UpdateOptions().upsert(true));
        }
    }

    @Test
    void labFindsWhatTheArticleSays() throws IOException {
        var page = folder.resolve("lab.html");
        var said = run("lab", "--kills", "1", "--html", page.toString());
        assertThat(said.code()).isZero();
        var table = said.out().substring(said.out().indexOf("What the counter shows"));
        assertThat(table.lines().map(line -> line.strip().replaceAll(" {2,}", " | ")))
                .contains(
                        "don't retry | may undercount (0,1) | correct (0,1) | correct (0)",
                        "always retry | may overcount (1,2) | wastes time (0,1) | wastes time (0)",
                        "retry once | may overcount (1,2) | correct (0,1) | correct (0)",
                        "make it idempotent | correct (1,1,1,1) | correct (0,1,1,1) | correct (0,1)",
                        "retryable write | correct (1,1) | correct (0,1) | correct (0)",
                        "with a token | correct (1,1) | correct (0,1) | correct (0)",
                        "in a transaction | correct (1,1,1,1) | correct (0,0,0,1) | correct (0,0)");
        assertThat(Files.readString(page))
                .contains("retryable write")
                .contains("<svg")
                .contains("primary is killed");
        var killed = said.out().substring(said.out().indexOf("The second act"));
        // Visits, those counted twice, and those lost.
        for (var safe :
                List.of("don't retry", "make it idempotent", "retryable write", "with a token", "in a transaction")) {
            assertThat(killed).containsPattern("(?m)^ *" + safe + " +[1-9][0-9]* +0 +0 ");
        }
        for (var risky : List.of("always retry", "retry once")) {
            assertThat(killed).containsPattern("(?m)^ *" + risky + " +[1-9][0-9]* +[0-9]+ +0 ");
        }
    }
}
