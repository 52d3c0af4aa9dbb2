package dev.semel.driver;

import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A durable server in its own process, which can be killed and started again where it was. */
final class KillableServer implements AutoCloseable {
    private static final String READY = "ready";

    private final Path folder;
    private final int port;
    private Process process;

    KillableServer(Path folder) throws IOException {
        this.folder = folder;
        port = freePort();
        process = start();
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    String uri() {
        return "mongodb://127.0.0.1:" + port + "/?replicaSet=rs0";
    }

    private Process start() throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        var made = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath,
                        KillableServer.class.getName(),
                        folder.toString(),
                        String.valueOf(port)))
                .redirectError(new File(folder.toFile(), "err.log"))
                .start();
        var out = new BufferedReader(new InputStreamReader(made.getInputStream(), StandardCharsets.UTF_8));
        String line = out.readLine();
        if (!READY.equals(line)) {
            throw new IOException("the server said " + line);
        }
        return made;
    }

    /** Without a warning, and back again at once. */
    void killAndRestart() throws IOException {
        kill();
        process = start();
    }

    private void kill() {
        process.destroyForcibly().onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        kill();
    }

    public static void main(String[] arguments) throws Exception {
        Server server = Server.start(
                ServerOptions.directory(Path.of(arguments[0], "data")).port(Integer.parseInt(arguments[1])));
        System.out.println(READY);
        server.awaitEnd();
    }
}
