package dev.semel.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server in its own process, which a test may kill, like a power failure. */
final class ServerProcess implements AutoCloseable {
    private static final String READY = "Semel is ready: ";
    private static final Duration END_MAX = Duration.ofSeconds(60);

    private final Process process;
    private final BufferedReader out;
    private final Path errors;

    private ServerProcess(Process process, Path errors) {
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
        this.errors = errors;
    }

    /** Starts one on the class path of this test; its log goes to a file in the folder. */
    static ServerProcess start(Path folder, String... arguments) throws IOException {
        return start(folder, Main.class, arguments);
    }

    /** The same with another main class, which does what {@code semel} does and something more. */
    static ServerProcess start(Path folder, Class<?> main, String... arguments) throws IOException {
        var words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                "serve"));
        words.addAll(List.of(arguments));
        var errors = Files.createTempFile(folder, "server", ".log");
        var builder = new ProcessBuilder(words).redirectError(errors.toFile());
        return new ServerProcess(builder.start(), errors);
    }

    /** Its connection string; waits for the line that says it is ready. */
    String awaitReady() throws IOException {
        var line = out.readLine();
        if (line == null || !line.startsWith(READY)) {
            throw new AssertionError("expected the ready line, got " + line + "\n" + errors());
        }
        return line.substring(READY.length());
    }

    /** What it printed after the ready line. Returns when it has ended. */
    List<String> furtherOutput() {
        return out.lines().toList();
    }

    String errors() throws IOException {
        return Files.readString(errors);
    }

    /** Asks it to stop, as SIGTERM does. */
    void terminate() {
        // The process itself would close what it printed, too.
        process.toHandle().destroy();
    }

    long pid() {
        return process.pid();
    }

    /** Kills it in the middle of whatever it does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    int awaitExitCode() throws IOException, InterruptedException {
        if (!process.waitFor(END_MAX.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("the server does not end\n" + errors());
        }
        return process.exitValue();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        out.close();
    }
}
