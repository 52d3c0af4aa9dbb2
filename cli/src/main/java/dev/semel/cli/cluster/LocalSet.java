package dev.semel.cli.cluster;

import dev.semel.cluster.SetOptions;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The members of a replica set on this machine, each a process of this program. */
public final class LocalSet implements AutoCloseable {
    static final String NAME = "rs0";
    /** Where a process of this program begins. */
    private static final String PROGRAM = "dev.semel.cli.Start";

    private static final long STOP_SECS = 20;
    private static final int UNSAFE_OPTION_SINCE = 23;

    private static final List<String> PASSED_ON =
            List.of("-XX:AOTCache=", "-XX:TieredStopAtLevel=", "-Xlog:", "-Djava.library.path=");

    private final List<String> addresses;
    private final Path folder;

    /** Null where a member was not started, or was stopped from here. */
    private final List<@Nullable Process> processes = new ArrayList<>();

    /** By its number: a member that is started again is another process. */
    private final Set<Long> paused = ConcurrentHashMap.newKeySet();

    enum State {
        RUNNING,
        PAUSED,
        STOPPED
    }

    LocalSet(int members, int firstPort, Path folder) {
        this(
                IntStream.range(0, members)
                        .mapToObj(i -> "127.0.0.1:" + (firstPort + i))
                        .toList(),
                folder);
    }

    /** None of them runs yet. */
    public LocalSet(List<String> addresses, Path folder) {
        this.addresses = List.copyOf(addresses);
        this.folder = folder;
        addresses.forEach(each -> processes.add(null));
    }

    public List<String> addresses() {
        return addresses;
    }

    public String connectionString() {
        return "mongodb://" + String.join(",", addresses) + "/?replicaSet=" + NAME;
    }

    boolean isRunning(int member) {
        var process = processes.get(member);
        return process != null && process.isAlive();
    }

    State state(int member) {
        if (!isRunning(member)) {
            return State.STOPPED;
        }
        return paused.contains(processId(member)) ? State.PAUSED : State.RUNNING;
    }

    /** Whether it has ended, and nobody has stopped it from here; says so once. */
    boolean hasEndedByItself(int member) {
        var process = processes.get(member);
        boolean hasEnded = process != null && !process.isAlive();
        if (hasEnded) {
            processes.set(member, null);
        }
        return hasEnded;
    }

    /** Of a member that runs. */
    long processId(int member) {
        var process = processes.get(member);
        return process == null ? 0 : process.pid();
    }

    /** Whoever starts it should be told now: a member that finds its port in use only writes that into its log. */
    void requireFreePorts() throws IOException {
        for (var each : addresses) {
            int port = Integer.parseInt(each.substring(each.indexOf(':') + 1));
            requireFree(port, "clients");
            requireFree(port + SetOptions.PORT_OFFSET, "the other members");
        }
    }

    private static void requireFree(int port, String callers) throws IOException {
        try (var socket = new ServerSocket()) {
            // As the members do: connections that have just ended do not count.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (BindException e) {
            throw new BindException(
                    "port %d, for %s, is in use; choose other ports with --port".formatted(port, callers));
        }
    }

    /** With all data, once no member runs. */
    public void deleteFolder() throws IOException {
        try (var files = Files.walk(folder)) {
            for (var each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }

    public void start(int member) throws IOException {
        if (isRunning(member)) {
            return;
        }
        var own = Files.createDirectories(folder(member));
        var port = addresses.get(member).substring(addresses.get(member).indexOf(':') + 1);
        var command = new ArrayList<String>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.add("-XX:+ExitOnOutOfMemoryError");
        if (Runtime.version().feature() >= UNSAFE_OPTION_SINCE) {
            // The consensus engine's network code uses it.
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        command.addAll(passedOn());
        var classPath = System.getProperty("java.class.path");
        if (classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator)) {
            command.addAll(List.of("-jar", classPath));
        } else {
            command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classPath, PROGRAM));
        }
        command.addAll(List.of("serve", "--dbpath", own.resolve("data").toString(), "--port", port));
        command.addAll(List.of("--replSet", NAME, "--members", String.join(",", addresses)));
        // Links between members are cut by fail points.
        command.addAll(List.of("--setParameter", "enableTestCommands=1"));
        processes.set(
                member,
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(
                                ProcessBuilder.Redirect.appendTo(log(member).toFile()))
                        .start());
    }

    /** What this process was given so that it starts quickly. */
    private static List<String> passedOn() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(each -> PASSED_ON.stream().anyMatch(each::startsWith))
                .toList();
    }

    private Path folder(int member) {
        return folder.resolve("member" + (member + 1));
    }

    Path log(int member) {
        return folder(member).resolve("log.txt");
    }

    /** As a loss of power to the process: kill -9. */
    public void kill(int member) throws InterruptedException {
        var process = processes.get(member);
        if (process != null) {
            process.destroyForcibly().waitFor();
            processes.set(member, null);
        }
    }

    /** An orderly end. */
    void stop(int member) throws InterruptedException {
        var process = processes.get(member);
        if (process != null) {
            process.destroy();
            if (!process.waitFor(STOP_SECS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            processes.set(member, null);
        }
    }

    /** The process stands still and keeps its connections, as in a long pause of its machine. */
    void pause(int member) throws IOException, InterruptedException {
        signal(member, "STOP");
        paused.add(processId(member));
    }

    /** It goes on. */
    void resume(int member) throws IOException, InterruptedException {
        signal(member, "CONT");
        paused.remove(processId(member));
    }

    private void signal(int member, String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(processId(member)))
                .start()
                .waitFor();
    }

    @Override
    public void close() {
        for (int i = 0; i < processes.size(); i++) {
            var process = processes.get(i);
            if (process != null && state(i) == State.PAUSED) {
                // It could not end in order.
                process.destroyForcibly();
            } else if (process != null) {
                process.destroy();
            }
        }
        for (var each : processes) {
            if (each != null) {
                each.onExit()
                        .orTimeout(STOP_SECS, TimeUnit.SECONDS)
                        .exceptionally(late -> each.destroyForcibly())
                        .join();
            }
        }
    }
}
