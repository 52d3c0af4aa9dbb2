package dev.semel.cli;

import dev.semel.cli.ExampleWay.Compiled;
import dev.semel.cli.ExampleWay.Continued;
import dev.semel.cli.ExampleWay.Elsewhere;
import dev.semel.cli.ExampleWay.JavaFile;
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
    private static final String JUNIT = "samples/junit/src/test/java/dev/semel/samples/junit/";
    private static final String SERVES = "serves until it is stopped; ServeProcessTest starts the program";

    private static final String PROJECT =
            "ProjectsTest in samples/pages builds it with Maven, and each version that the page names";

    private static final String ONCE = "OnceKillTest pastes it, before and after a kill";

    private static final String NEEDS = """
        static void need(Object expected, Object found) {
            if (!expected.equals(found)) throw new AssertionError("expected " + expected + ", found " + found);
        }
        """;

    private static final String ACCOUNTS = """
        var client = com.mongodb.client.MongoClients.create(uri);
        var database = client.getDatabase("java");
        var accounts = database.getCollection("accounts");
        accounts.drop();
        for (Object id : java.util.List.of(1, 2, "a", "b")) {
            accounts.insertOne(new org.bson.Document("_id", id).append("balance", 100));
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
                        new NotRun("runs three processes until it is told to quit"),
                        new NotRun("LocalClusterTest runs its programs, while the primary is killed"),
                        new JavaFile("Places", true),
                        new Pasted(ClientProgram.SHELL, "", "cat swiss.json", "Bern"));
            case "docs/audit.md" ->
                List.of(
                        new Pasted(ClientProgram.PYTHON, "", "print(days.find_one())\n", "'counter': 1"),
                        new NotRun("takes half a minute; the tests of blackpipe audit such programs"),
                        new Pasted(ClientProgram.NODE, "", "", ""),
                        new NotRun("takes half a minute; the tests of blackpipe audit such programs"),
                        new JavaFile("VisitTest", false));
            case "docs/black-pipe.md" -> List.of(new Run(new Setting("", "", "")), new Run(new Setting("", "", "")));
            case "docs/change-streams.md" ->
                List.of(new Compiled(new Setting(
                        "static void handle(Object event) {} static void store(Object token) {}",
                        "com.mongodb.client.MongoCollection<org.bson.Document> orders = null;",
                        "")));
            case "docs/configuration.md" -> List.of(new NotRun("names folders of an installed system"));
            case "docs/conformance.md" -> List.of(new NotRun("the build runs it where SPEC_TESTS is set"));
            case "docs/driver.md" ->
                continued(9, new Run(new Setting("", "byte[] bytes = {1, 2, 3};", "client.close();")));
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
                        // The token is that of the example before, which runs on the same server.
                        new Pasted(ClientProgram.MONGOSH, "", "", "outcome: 'notApplied'"));
            case "docs/retrying.md" ->
                continued(
                        4,
                        new Run(new Setting(
                                "",
                                "var lines = new java.util.ArrayList<String>(); var token = new"
                                        + " org.bson.types.ObjectId();",
                                "client.close();")));
            case "docs/security.md" ->
                List.of(
                        new NotRun(SERVES),
                        new Pasted(
                                ClientProgram.MONGOSH,
                                "passwordPrompt = () => 'secret'\n",
                                "db.getSiblingDB('admin').getUsers()\n",
                                "'admin.root'"),
                        new Continued(),
                        new Compiled(new Setting("", "java.nio.file.Path folder = null; String password = \"\";", "")),
                        new NotRun(SERVES),
                        new Pasted(ClientProgram.MONGOSH, "", "", "ok: 1"),
                        new NotRun(SERVES),
                        new NotRun(SERVES));
            case "docs/testing.md" ->
                List.of(
                        new NotRun("installs into the reader's Maven repository"),
                        new NotRun(PROJECT),
                        new Elsewhere(JUNIT + "OrdersTest.java"),
                        new Elsewhere(JUNIT + "FailoverTest.java"),
                        new Elsewhere(JUNIT + "LostReplyTest.java"),
                        new Elsewhere(JUNIT + "VisitsTest.java"),
                        new Elsewhere("junit/src/test/java/dev/semel/junit/SemelServerTest.java"),
                        new Elsewhere("samples/boot35/pom.xml"),
                        new NotRun(PROJECT),
                        new NotRun(PROJECT));
            case "docs/replica-sets.md" ->
                List.of(
                        new NotRun("runs three processes until it is told to quit"),
                        new Pasted(ClientProgram.PYTHON, "", "", "'n': 1000"),
                        new JavaFile("Failover", true),
                        new NotRun(SERVES),
                        new NotRun("names three machines"),
                        new NotRun(SERVES));
            case "docs/transactions.md" ->
                List.of(
                        new Run(new Setting(
                                NEEDS,
                                ACCOUNTS,
                                "need(90, accounts.find(new org.bson.Document(\"_id\","
                                        + " 1)).first().get(\"balance\"));")),
                        new Transfer(ClientProgram.MONGOSH),
                        new Transfer(ClientProgram.NODE),
                        new Transfer(ClientProgram.PYTHON),
                        new Run(new Setting(
                                NEEDS,
                                ACCOUNTS,
                                "need(90, accounts.find(new org.bson.Document(\"_id\","
                                        + " \"a\")).first().get(\"balance\"));")));
            default -> List.of();
        };
    }

    /** All examples of a page, one after the other, as one program. */
    private static List<ExampleWay> continued(int count, ExampleWay way) {
        return Stream.concat(
                        Stream.of(way),
                        Stream.<ExampleWay>generate(Continued::new).limit(count - 1))
                .toList();
    }

    private static List<ExampleWay> times(int count, ExampleWay way) {
        return Collections.nCopies(count, way);
    }
}
