package dev.semel.golden.mutation;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Tests in a JVM of their own, with classes that hide those of the module. */
final class MutantRun implements AutoCloseable {
    /** A fault may well keep a test from ending. */
    private static final int WITH_FAULT_SECONDS = 60;

    /** All tests of the list, perhaps on a busy machine. */
    private static final int WITHOUT_FAULT_SECONDS = 600;

    private static final Path NOTHING = Path.of("");

    private final List<String> tests;
    private final Path classes;
    private final int longestSeconds;

    /** With the code as it is. */
    MutantRun(List<String> tests) {
        this.tests = tests;
        classes = NOTHING;
        longestSeconds = WITHOUT_FAULT_SECONDS;
    }

    MutantRun(Mutation mutation) throws IOException {
        tests = mutation.tests();
        classes = Files.createTempDirectory("mutant");
        longestSeconds = WITH_FAULT_SECONDS;
        compile(mutation);
    }

    private static String classPath() {
        String own = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String modules = System.getProperty("jdk.module.path", "");
        return modules.isEmpty() ? own : own + File.pathSeparator + modules;
    }

    private void compile(Mutation mutation) throws IOException {
        Path source = classes.resolve("source").resolve(mutation.path());
        Files.createDirectories(source.getParent());
        Files.writeString(source, mutation.mutated());
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            var errors = new StringWriter();
            List<String> options =
                    List.of("-d", classes.toString(), "-cp", classPath(), "-proc:none", "-nowarn", "-parameters", "-g");
            if (!compiler.getTask(errors, files, null, options, null, files.getJavaFileObjects(source))
                    .call()) {
                throw new AssertionError("'" + mutation.name() + "' does not compile: " + errors);
            }
        }
    }

    /** Those of the tests that fail, in their order. */
    List<String> failing() throws IOException, InterruptedException {
        if (tests.isEmpty()) {
            return List.of();
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                (classes.equals(NOTHING) ? "" : classes + File.pathSeparator) + classPath(),
                TestRun.class.getName()));
        for (String each : tests) {
            TestName name = TestName.of(each);
            command.add(name.className() + "#" + name.method());
        }
        Path output = Files.createTempFile("mutant", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectErrorStream(true)
                .start();
        boolean ended = process.waitFor(longestSeconds, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        List<String> lines = Files.readAllLines(output, java.nio.charset.StandardCharsets.ISO_8859_1);
        Files.delete(output);
        List<String> failing = new ArrayList<>();
        for (int i = 0; i < tests.size(); i++) {
            // What did not come to its end is a failure too: without the fault it ends.
            if (lines.contains(TestRun.FAILED + i) || (!ended && !lines.contains(TestRun.PASSED + i))) {
                failing.add(tests.get(i));
            } else if (!lines.contains(TestRun.PASSED + i)) {
                throw new AssertionError(tests.get(i) + " was not run: " + String.join("\n", lines));
            }
        }
        return failing;
    }

    @Override
    public void close() throws IOException {
        if (classes.equals(NOTHING)) {
            return;
        }
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
