package dev.semel.cli;

import dev.semel.cli.ExampleWay.Compiled;
import dev.semel.cli.ExampleWay.Continued;
import dev.semel.cli.ExampleWay.Elsewhere;
import dev.semel.cli.ExampleWay.NotRun;
import dev.semel.cli.ExampleWay.Pasted;
import dev.semel.cli.ExampleWay.Run;
import dev.semel.cli.ExampleWay.Transfer;
import dev.semel.golden.example.ClientProgram;
import dev.semel.golden.example.JavaExample.Setting;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** How the examples of each page are tested, in their order on the page. */
final class ExampleWays {
    private static final String GUIDE = "driver/src/test/java/dev/semel/driver/GuideTest.java";
    private static final String RETRYING = "driver/src/test/java/dev/semel/driver/RetryingPageTest.java";
    private static final String TESTING = "junit/src/test/java/dev/semel/junit/TestingPageTest.java";
    private static final String SERVES = "serves until it is stopped; ServeProcessTest starts the program";

    private static final String ONCE = "OnceKillTest pastes it, before and after a kill";

    private static final List<String> OFFICIAL = List.of(
            "com.mongodb.client.*",
            "java.util.*",
            "org.bson.Document",
            "static com.mongodb.client.model.Filters.*",
            "static com.mongodb.client.model.Updates.*");

    private static final String NEEDS = """
        static void need(Object expected, Object found) {
            if (!expected.equals(found)) throw new AssertionError("expected " + expected + ", found " + found);
        }
        """;

    private static final String ACCOUNTS = """
        MongoClient client = MongoClients.create(uri);
        MongoDatabase database = client.getDatabase("java");
        MongoCollection<Document> accounts = database.getCollection("accounts");
        accounts.drop();
        for (Object id : List.of(1, 2, "a", "b")) {
            accounts.insertOne(new Document("_id", id).append("balance", 100));
        }
        """;

    private ExampleWays() {}

    static List<ExampleWay> of(String page) {
        return switch (page) {
            case "README.md" ->
                List.of(
                        new NotRun("builds the repository; " + SERVES),
                        new Pasted(
                                ClientProgram.SHELL,
                                "",
                                "mongosh --quiet \"$MONGODB_URI\" --eval 'print(db.places.findOne().name)'\n",
                                "Zürich"),
                        new Run(new Setting(
                                plus(OFFICIAL, "dev.semel.server.Server", "dev.semel.server.ServerOptions"),
                                "",
                                "",
                                "")),
                        new Pasted(ClientProgram.SHELL, "", "cat swiss.json", "Bern"));
            case "docs/audit.md" ->
                List.of(
                        new Pasted(ClientProgram.PYTHON, "", "print(days.find_one())\n", "'counter': 1"),
                        new NotRun("takes half a minute; the tests of blackpipe audit such programs"),
                        new Pasted(ClientProgram.NODE, "", "", ""),
                        new NotRun("takes half a minute; the tests of blackpipe audit such programs"),
                        new Compiled(new Setting(
                                plus(
                                        OFFICIAL,
                                        "dev.semel.blackpipe.audit.*",
                                        "dev.semel.server.Server",
                                        "static org.assertj.core.api.Assertions.assertThat"),
                                "static void countVisit(String uri) {} static long visits(String uri) { return 1; }",
                                "Server server = null;",
                                "")));
            case "docs/black-pipe.md" ->
                List.of(
                        new Run(new Setting(
                                plus(
                                        OFFICIAL,
                                        "dev.semel.blackpipe.script.*",
                                        "static org.assertj.core.api.Assertions.assertThat"),
                                "",
                                "",
                                "")),
                        new Run(new Setting(
                                plus(
                                        OFFICIAL,
                                        "dev.semel.blackpipe.script.*",
                                        "static dev.semel.blackpipe.message.Match.command"),
                                "",
                                "",
                                "")));
            case "docs/change-streams.md" ->
                List.of(new Compiled(new Setting(
                        plus(OFFICIAL, "com.mongodb.client.model.changestream.*"),
                        "static void handle(Object event) {} static void store(Object token) {}",
                        "MongoCollection<Document> orders = null;",
                        "")));
            case "docs/configuration.md" -> List.of(new NotRun("names folders of an installed system"));
            case "docs/conformance.md" -> List.of(new NotRun("the build runs it where SPEC_TESTS is set"));
            case "docs/driver.md" -> times(8, new Elsewhere(GUIDE));
            case "docs/fail-points.md" ->
                List.of(
                        new Pasted(
                                ClientProgram.MONGOSH,
                                "",
                                "db.adminCommand({configureFailPoint: 'failCommand', mode: 'off'})\n",
                                "ok: 1"),
                        new Continued(),
                        new Continued());
            case "docs/performance.md" -> times(2, new NotRun("measures for more than a minute"));
            case "docs/proxy.md" ->
                List.of(
                        new NotRun(SERVES),
                        new NotRun("PlanPageTest reads every plan of the page"),
                        new Pasted(ClientProgram.PYTHON, "", "", "'n': 3"),
                        new NotRun("names a server that does not exist"),
                        new NotRun("PlanPageTest reads every plan of the page"),
                        new NotRun("needs the proxy's control port; the tests of blackpipe use it"),
                        new NotRun(SERVES),
                        new NotRun("leaves out what the test does"));
            case "docs/retryable-writes.md" ->
                List.of(
                        new NotRun(ONCE),
                        new NotRun(ONCE),
                        new NotRun(ONCE),
                        new NotRun(ONCE),
                        new NotRun(ONCE),
                        new NotRun("needs Go and its driver"),
                        new NotRun("needs .NET and its driver"),
                        new Pasted(
                                ClientProgram.MONGOSH,
                                "db.accounts.updateOne({}, {$inc: {n: 1}}, {comment: {once: 'payment-41'}})\n",
                                "",
                                "outcome: 'applied'"),
                        new Pasted(ClientProgram.MONGOSH, "", "", "outcome: 'notApplied'"),
                        new Pasted(
                                ClientProgram.MONGOSH,
                                "db.accounts.updateOne({}, {$inc: {n: 1}}, {comment: {once: 'payment-42'}})\n",
                                "",
                                "outcome: 'applied'"));
            case "docs/retrying.md" -> times(4, new Elsewhere(RETRYING));
            case "docs/security.md" ->
                List.of(
                        new NotRun(SERVES),
                        new Pasted(
                                ClientProgram.MONGOSH,
                                "passwordPrompt = () => 'secret'\n",
                                "db.getSiblingDB('admin').getUsers()\n",
                                "'admin.root'"),
                        new Continued(),
                        new Compiled(new Setting(
                                List.of("dev.semel.server.*", "java.nio.file.Path"),
                                "",
                                "Path folder = null; String password = \"\";",
                                "")),
                        new NotRun(SERVES),
                        new Pasted(ClientProgram.MONGOSH, "", "", "ok: 1"));
            case "docs/testing.md" ->
                List.of(
                        new Elsewhere(TESTING),
                        new Elsewhere(TESTING),
                        new Elsewhere(TESTING),
                        new NotRun("leaves out what the test does; SemelServerTest has it"),
                        new Elsewhere("samples/boot35/pom.xml"),
                        new NotRun("BoxOfficeTest in samples/boot35 has it, with its beans in the constructor"));
            case "docs/transactions.md" ->
                List.of(
                        new Run(new Setting(
                                OFFICIAL,
                                NEEDS,
                                ACCOUNTS,
                                "need(90, accounts.find(eq(\"_id\", 1)).first().get(\"balance\"));")),
                        new Transfer(ClientProgram.MONGOSH),
                        new Transfer(ClientProgram.NODE),
                        new Transfer(ClientProgram.PYTHON),
                        new Run(new Setting(
                                OFFICIAL,
                                NEEDS,
                                ACCOUNTS,
                                "need(90, accounts.find(eq(\"_id\", \"a\")).first().get(\"balance\"));")));
            default -> List.of();
        };
    }

    private static List<ExampleWay> times(int count, ExampleWay way) {
        return Collections.nCopies(count, way);
    }

    private static List<String> plus(List<String> imports, String... more) {
        return Stream.concat(imports.stream(), Stream.of(more)).toList();
    }
}
