package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClients;
import dev.semel.golden.example.ClientProgram;
import dev.semel.golden.example.Example;
import dev.semel.golden.example.JavaExample;
import dev.semel.golden.example.JavaExample.Setting;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every example on the pages for users does what it says when it is pasted. {@link ExampleWays} says how each is tested;
 * one that it does not list fails.
 */
class ExamplesTest {
    private static final String DOCUMENTED_URI = "mongodb://127.0.0.1:2701[78](?:,127.0.0.1:[0-9]+)*/\\?replicaSet=rs0";

    @TempDir
    private Path folder;

    private Server server;

    @BeforeEach
    void start() throws IOException {
        server = Server.start(ServerOptions.memory());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void everyExampleIsListed() throws IOException {
        var others = new ArrayList<String>();
        for (var page : Example.pages()) {
            var examples = Example.on(page);
            if (examples.size() != ExampleWays.of(page).size()) {
                others.add(page + ": " + examples);
            }
        }
        assertThat(others)
                .as("pages with more or fewer examples than ExampleWays lists")
                .isEmpty();
    }

    @TestFactory
    Stream<DynamicNode> examples() throws IOException {
        prepareFolder();
        return Example.pages().stream()
                .filter(page -> !ExampleWays.of(page).isEmpty())
                .map(page -> DynamicContainer.dynamicContainer(page, tests(page)));
    }

    private Stream<DynamicTest> tests(String page) {
        List<Example> examples = examples(page);
        List<ExampleWay> ways = ExampleWays.of(page);
        var tests = new ArrayList<DynamicTest>();
        for (int i = 0; i < Math.min(examples.size(), ways.size()); i++) {
            int index = i;
            if (!(ways.get(i) instanceof ExampleWay.Continued)) {
                tests.add(DynamicTest.dynamicTest(
                        examples.get(i) + " " + ways.get(i), () -> test(examples, ways, index)));
            }
        }
        return tests.stream();
    }

    private static List<Example> examples(String page) {
        try {
            return Example.on(page);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void test(List<Example> examples, List<ExampleWay> ways, int index) throws Exception {
        var code = new StringBuilder(examples.get(index).code());
        for (int i = index + 1; i < ways.size() && ways.get(i) instanceof ExampleWay.Continued; i++) {
            code.append(examples.get(i).code());
        }
        var java = importsBefore(examples, index) + code;
        switch (ways.get(index)) {
            case ExampleWay.Pasted pasted -> paste(pasted, code.toString());
            case ExampleWay.Transfer(ClientProgram program) -> transfer(program, code.toString());
            case ExampleWay.Run(Setting setting) -> JavaExample.run(setting, java, server.connectionString());
            case ExampleWay.Compiled(Setting setting) -> JavaExample.compile(setting, java);
            case ExampleWay.JavaFile(String name, boolean isProgram) -> {
                if (isProgram) {
                    JavaExample.runProgram(name, code.toString());
                } else {
                    JavaExample.compileFile(name, code.toString());
                }
            }
            case ExampleWay.Elsewhere(String test) ->
                assertThat(code.toString()
                                .lines()
                                .filter(line -> !line.startsWith("import "))
                                .map(ExamplesTest::packed))
                        .as("lines that " + test + " has to have as they stand on the page")
                        .allSatisfy(line -> assertThat(
                                        packed(Files.readString(Example.root().resolve(test))))
                                .contains(line));
            case ExampleWay.NotRun ignored -> {}
            case ExampleWay.Continued ignored -> {}
        }
    }

    /** A page need not import again what an earlier example of it imports. */
    private static String importsBefore(List<Example> examples, int index) {
        return examples.get(index).language().equals("java")
                ? examples.subList(0, index).stream()
                        .filter(each -> each.language().equals("java"))
                        .flatMap(each -> each.code().lines())
                        .filter(line -> line.startsWith("import "))
                        .collect(Collectors.joining("\n", "", "\n"))
                : "";
    }

    private void transfer(ClientProgram program, String code) throws IOException {
        var uri = server.connectionString();
        try (var client = MongoClients.create(uri)) {
            var accounts = client.getDatabase("bank").getCollection("accounts");
            accounts.drop();
            accounts.insertMany(List.of(
                    new Document("_id", "a").append("balance", 100), new Document("_id", "b").append("balance", 100)));
            var said = program.run(uri, code, folder);
            assertThat(said.exitCode()).as(said.output()).isZero();
            assertThat(accounts.find().map(each -> each.getInteger("balance")))
                    .as(said.output())
                    .containsExactly(90, 110);
        }
    }

    private void paste(ExampleWay.Pasted way, String code) throws IOException {
        if (code.contains("mongosh")) {
            ClientProgram.MONGOSH.assume();
        }
        var uri = server.connectionString().replace("/?", "/pasted?");
        var said = way.program().run(uri, way.before() + code.replaceAll(DOCUMENTED_URI, uri) + way.after(), folder);
        assertThat(said.exitCode()).as(said.output()).isZero();
        assertThat(said.output()).contains(way.expected());
    }

    /** The formatter may have put lines and spaces elsewhere. */
    private static String packed(String text) {
        return text.replaceAll("\\s+", "");
    }

    /** What a reader has beside him: the program, and files that examples name. */
    private void prepareFolder() throws IOException {
        var semel = Files.writeString(folder.resolve("semel"), """
            #!/usr/bin/env bash
            exec '%s' -XX:TieredStopAtLevel=1 -cp '%s' dev.semel.cli.Main "$@" --uri "$MONGODB_URI"
            """.formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"), System.getProperty("java.class.path")));
        Files.setPosixFilePermissions(semel, PosixFilePermissions.fromString("rwx------"));
        Files.writeString(folder.resolve("cities.json"), "{\"name\": \"Bern\", \"country\": \"CH\"}\n");
        Files.writeString(folder.resolve("cities.csv"), "name,country\nWien,AT\n");
    }
}
