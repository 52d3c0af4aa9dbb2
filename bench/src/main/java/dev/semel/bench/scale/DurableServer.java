package dev.semel.bench.scale;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A durable server in a process of its own, which can be killed and started again. */
final class DurableServer implements AutoCloseable {
    private final List<String> command;
    private final Path folder;
    private final int port;
    private Process process;

    private DurableServer(List<String> command, Path folder, int port) throws IOException {
        this.command = command;
        this.folder = folder;
        this.port = port;
        this.process = launch();
    }

    static DurableServer start(String java, String jar, String heap, Path folder) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Files.createDirectories(folder);
        return new DurableServer(
                List.of(
                        java,
                        "-Xmx" + heap,
                        "--enable-native-access=ALL-UNNAMED",
                        "-jar",
                        jar,
                        "serve",
                        "--quiet",
                        "--port",
                        Integer.toString(port),
                        "--dbpath",
                        folder.resolve("data").toString()),
                folder,
                port);
    }

    private Process launch() throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
    }

    String uri() {
        return "mongodb://127.0.0.1:" + port + "/?directConnection=true";
    }

    long pid() {
        return process.pid();
    }

    /** Without a word to it, as by {@code kill -9}. */
    void killAndStart() throws IOException, InterruptedException {
        process.destroyForcibly();
        process.waitFor();
        process = launch();
    }

    /** Of all its files. Some may go while they are counted. */
    long diskBytes() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("data"))) {
            return files.mapToLong(
                            each -> each.toFile().isFile() ? each.toFile().length() : 0)
                    .sum();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
