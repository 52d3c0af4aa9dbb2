package dev.semel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.semel.golden.example.Example;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher {@code ./semel}, in its own folder with a program that is built at once. */
class LauncherTest {
    private static final int INTERRUPTED = 130;

    private static final int TRAINED_SINCE = 25;

    private static final Pattern WATCHED = Pattern.compile("/\\{([a-z,]+)}/\\{pom.xml,src/main}");
    private static final Pattern DEPENDENCY =
            Pattern.compile("<artifactId>semel-([a-z]+)</artifactId>\\s*</dependency>");

    @TempDir
    private Path folder;

    /** A program that answers with its arguments; packaged by what stands for Maven. */
    public static final class Echo {
        private Echo() {}

        public static void main(String[] arguments) {
            System.out.println(String.join(" ", arguments));
        }
    }

    private record Said(int exitCode, String output, String errors) {}

    @BeforeEach
    void prepare() throws IOException {
        Files.copy(Example.root().resolve("semel"), folder.resolve("semel"));
        Files.createDirectories(folder.resolve("cli"));
        Files.createDirectories(folder.resolve("bin"));
        pack("program.jar");
        maven("""
            echo "[INFO] Building Semel wire 0.1.0-SNAPSHOT                                [1/2]"
            echo "[INFO] Building Semel cli 0.1.0-SNAPSHOT                                 [2/2]"
            cp program.jar cli/target/semel.jar
            """);
    }

    @Test
    void firstStartBuildsModuleByModule() throws Exception {
        var first = run("help", "me");
        assertThat(first.output()).isEqualTo("help me\n");
        assertThat(first.errors()).contains("  1 of 2: Semel wire", "  2 of 2: Semel cli");
        var second = run("again");
        assertThat(second.output()).isEqualTo("again\n");
        assertThat(second.errors()).isEmpty();
    }

    /** Otherwise an old program would start after a change of its sources. */
    @Test
    void launcherLooksAtTheSourcesOfAllModulesInTheJar() throws IOException {
        var watched = WATCHED.matcher(Files.readString(Example.root().resolve("semel")));
        assertThat(watched.find()).isTrue();
        assertThat(watched.group(1).split(",")).containsExactlyInAnyOrderElementsOf(modulesOfTheJar());
    }

    /** Without those that only tests need, which have a scope. */
    private static Set<String> modulesOfTheJar() throws IOException {
        Set<String> modules = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(List.of("cli"));
        while (!open.isEmpty()) {
            var module = open.pop();
            if (modules.add(module)) {
                var pom = Files.readString(Example.root().resolve(module).resolve("pom.xml"));
                DEPENDENCY.matcher(pom).results().forEach(each -> open.push(each.group(1)));
            }
        }
        return modules;
    }

    @Test
    void nothingIsSaidAfterTheJarWasPackagedAgain() throws Exception {
        run("help");
        assertThat(files(".jsa")).isEqualTo(1);
        pack("cli/target/semel.jar", "more");
        assertThat(run("help")).isEqualTo(new Said(0, "help\n", ""));
        assertThat(run("help")).isEqualTo(new Said(0, "help\n", ""));
        assertThat(files(".jsa")).isEqualTo(1);
    }

    /** The program of this test has nothing that could be trained. */
    @Test
    void serversAreTrainedOnceAndStartEvenIfThatFails() throws Exception {
        assumeThat(Runtime.version().feature()).isGreaterThanOrEqualTo(TRAINED_SINCE);
        assertThat(run("version").errors()).doesNotContain("Training");
        var first = run("serve", "--memory");
        assertThat(first.output()).isEqualTo("serve --memory\n");
        assertThat(first.errors()).startsWith("Training the JVM");
        assertThat(run("serve")).isEqualTo(new Said(0, "serve\n", ""));
        pack("cli/target/semel.jar", "more");
        assertThat(run("--prepare").errors()).startsWith("Training the JVM");
        assertThat(run("--prepare")).isEqualTo(new Said(0, "", ""));
        assertThat(files(".aot")).isEqualTo(1);
    }

    @Test
    void benchmarkShowsItsHelpWithoutABuild() throws Exception {
        maven("echo built; exit 1\n");
        var said = run(new ProcessBuilder(Example.root().resolve("dev/bench").toString(), "--help")
                .directory(folder.toFile()));
        assertThat(said.exitCode()).isZero();
        assertThat(said.output())
                .startsWith("Measures Semel")
                .contains("  dev/bench --table")
                .doesNotContain("built");
    }

    @Test
    void failedBuildIsShown() throws Exception {
        maven("echo broken; exit 1\n");
        var said = run("help");
        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.errors()).contains("broken", "the build failed");
    }

    @Test
    void interruptedBuildEndsWith130AndLeavesNoJar() throws Exception {
        maven("""
            trap 'exit 130' INT
            touch cli/target/semel.jar begun
            for i in {1..300}; do sleep 0.1; done
            """);
        // A shell with job control makes a process group of its own, as a terminal does for what is typed.
        var script = """
            set -m
            ./semel help &
            for i in {1..300}; do [[ -e begun ]] && break; sleep 0.1; done
            kill -INT -- -$!
            wait $!
            """;
        // Whoever runs the tests in the background may ignore the signal, and so would all processes begun here.
        var shell = new ProcessBuilder("env", "--default-signal=INT", "bash", "-c", script);
        var said = run(shell.directory(folder.toFile()));
        assertThat(said.exitCode()).as(said.errors()).isEqualTo(INTERRUPTED);
        assertThat(said.errors()).doesNotContain("the build failed");
        assertThat(folder.resolve("cli/target/semel.jar")).doesNotExist();
    }

    private long files(String end) throws IOException {
        try (var files = Files.list(folder.resolve("cli/target"))) {
            return files.filter(each -> each.toString().endsWith(end)).count();
        }
    }

    private void maven(String script) throws IOException {
        var file = folder.resolve("bin/mvn");
        Files.writeString(file, "#!/usr/bin/env bash\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private void pack(String name, String... entries) throws IOException {
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Echo.class.getName());
        var file = Echo.class.getName().replace('.', '/') + ".class";
        try (var jar = new JarOutputStream(Files.newOutputStream(folder.resolve(name)), manifest);
                var code = Echo.class.getClassLoader().getResourceAsStream(file)) {
            jar.putNextEntry(new JarEntry(file));
            jar.write(code.readAllBytes());
            for (var entry : entries) {
                jar.putNextEntry(new JarEntry(entry));
            }
        }
    }

    private Said run(String... arguments) throws Exception {
        var words = new ArrayList<>(List.of("./semel"));
        words.addAll(List.of(arguments));
        return run(new ProcessBuilder(words).directory(folder.toFile()));
    }

    private Said run(ProcessBuilder builder) throws Exception {
        builder.environment().merge("PATH", folder.resolve("bin").toString(), (path, own) -> own + ":" + path);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        var errors = folder.resolve("errors");
        var process = builder.redirectError(errors.toFile()).start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return new Said(process.exitValue(), output, Files.readString(errors));
    }
}
