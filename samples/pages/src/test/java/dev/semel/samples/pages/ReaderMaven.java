package dev.semel.samples.pages;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.golden.example.Example;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;

/**
 * The Maven of this build, with a local repository of its own: it links to everything in the repository of this build, and has
 * Semel's modules as this build compiled them. Nothing is installed for the user who runs the build.
 */
final class ReaderMaven {
    private static final List<String> MODULES =
            List.of("wire", "query", "store", "server", "driver", "blackpipe", "junit", "spring");

    private static final String VERSION = "0.1.0-SNAPSHOT";
    private static final long MINUTES_MAX = 5;

    private final Path repository;

    /** In an empty folder. Skips the test outside Maven, where nothing says which Maven and which repository to use. */
    ReaderMaven(Path repository) throws IOException {
        assumeTrue(System.getProperty("build.maven.home") != null, "only a build by Maven runs this");
        this.repository = repository;
        Path own = Path.of(System.getProperty("build.repository"));
        link(own, repository, "dev");
        link(own.resolve("dev"), Files.createDirectory(repository.resolve("dev")), "semel");
        install("semel-parent", Example.root().resolve("pom.xml"));
        for (String module : MODULES) {
            Path folder = Example.root().resolve(module);
            Path installed = install("semel-" + module, folder.resolve("pom.xml"));
            jar(
                    folder.resolve("target").resolve("classes"),
                    installed.resolve("semel-" + module + "-" + VERSION + ".jar"));
        }
    }

    private static void link(Path from, Path to, String except) throws IOException {
        if (!Files.isDirectory(from)) {
            return;
        }
        try (var children = Files.list(from)) {
            for (Path each : children.toList()) {
                if (!each.endsWith(except)) {
                    Files.createSymbolicLink(to.resolve(each.getFileName()), each);
                }
            }
        }
    }

    private Path install(String artifact, Path pom) throws IOException {
        Path folder = Files.createDirectories(repository.resolve(Path.of("dev", "semel", artifact, VERSION)));
        Files.copy(pom, folder.resolve(artifact + "-" + VERSION + ".pom"));
        return folder;
    }

    private static void jar(Path classes, Path jar) {
        int code = ToolProvider.findFirst("jar")
                .orElseThrow()
                .run(System.out, System.err, "--create", "--file", jar.toString(), "-C", classes.toString(), ".");
        if (code != 0) {
            throw new AssertionError("no jar of " + classes);
        }
    }

    /** {@code mvn test} in a folder. */
    void test(Path project) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("build.maven.home"), "bin", "mvn").toString(),
                "-B",
                "--no-transfer-progress",
                "-Dmaven.repo.local=" + repository,
                "test"));
        if ("offline=true".equals(System.getProperty("build.offline"))) {
            command.add("-o");
        }
        Path output = project.resolve("output.txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.directory(project.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        // Neither Maven nor the tests run for so long that the second compiler of the JVM pays.
        builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1");
        Process process = builder.start();
        boolean ended = process.waitFor(MINUTES_MAX, TimeUnit.MINUTES);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        if (!ended || process.exitValue() != 0) {
            throw new AssertionError("mvn test: " + Files.readString(output));
        }
    }
}
