package dev.semel.cli;

import dev.semel.golden.GoldenScripts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.ExecutionException;

/**
 * Command lines: what they set, and what is said about those that cannot be used. An input is a command line, with lines
 * {@code NAME=value} before it for the environment and lines behind it for the configuration file, which is
 * {@code FILE} on the command line.
 */
class CommandLineTest {
    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> scripts() {
        return GoldenScripts.named("options").run(() -> (Function<String, String>) this::interpret);
    }

    private String interpret(String input) {
        var environment = new TreeMap<String, String>();
        var lines = input.lines().toList();
        int line = 0;
        while (lines.get(line).matches("[A-Z_]+=.*")) {
            var assignment = lines.get(line++);
            int equals = assignment.indexOf('=');
            environment.put(assignment.substring(0, equals), assignment.substring(equals + 1));
        }
        var file = folder.resolve("semel.yaml");
        write(file, lines.subList(line + 1, lines.size()));
        var arguments = lines.get(line).replace("FILE", file.toString()).split(" ", -1);
        return run(environment, arguments).replace(file.toString(), "FILE");
    }

    private static void write(Path file, List<String> lines) {
        try {
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String run(Map<String, String> environment, String... arguments) {
        var said = new StringWriter();
        var main = Main.commandLine(environment);
        main.setErr(new PrintWriter(said, true));
        main.getSubcommands().values().forEach(each -> each.setErr(new PrintWriter(said, true)));
        // No server is started: what it would be told is the answer.
        main.setExecutionStrategy(parsed -> {
            try {
                said.append(
                        Serve.prepare(parsed.subcommand(), environment).asked().toString());
                return ExitCode.CLEAN.number();
            } catch (BadOption e) {
                throw new ExecutionException(parsed.subcommand().commandSpec().commandLine(), "failed", e);
            }
        });
        int code = main.execute(arguments);
        return said.toString().stripTrailing() + "\nexit " + code;
    }
}
