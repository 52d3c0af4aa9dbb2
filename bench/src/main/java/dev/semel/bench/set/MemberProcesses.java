package dev.semel.bench.set;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

/** A set of three processes on this machine. */
final class MemberProcesses implements AutoCloseable {
    static final int MEMBERS = 3;
    private static final int PORT_OFFSET = 1000;
    private static final int ALL_MS_MAX = (int) TimeUnit.MINUTES.toMillis(1);

    private final List<String> command;
    private final Path folder;
    private final List<String> addresses;
    private final Process[] members = new Process[MEMBERS];

    private MemberProcesses(List<String> command, Path folder, List<String> addresses) {
        this.command = command;
        this.folder = folder;
        this.addresses = addresses;
    }

    /** All of them, as users start them, with the path of the launcher and a folder that is made. */
    static MemberProcesses start(String launcher, Path folder) throws IOException {
        List<String> command = List.of(launcher, "serve", "--quiet", "--replSet", "rs0");
        MemberProcesses started = new MemberProcesses(command, folder, freeAddresses());
        for (int i = 0; i < MEMBERS; i++) {
            started.start(i);
        }
        return started;
    }

    private static List<String> freeAddresses() throws IOException {
        List<String> addresses = new ArrayList<>();
        List<ServerSocket> sockets = new ArrayList<>();
        while (addresses.size() < MEMBERS) {
            ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            sockets.add(socket);
            if (socket.getLocalPort() + PORT_OFFSET < 1 << 16) {
                addresses.add("127.0.0.1:" + socket.getLocalPort());
            }
        }
        for (ServerSocket each : sockets) {
            each.close();
        }
        return addresses;
    }

    void start(int member) throws IOException {
        Path own = Files.createDirectories(folder.resolve("member" + member));
        List<String> words = new ArrayList<>(command);
        words.addAll(List.of(
                "--members",
                String.join(",", addresses),
                "--port",
                Integer.toString(port(member)),
                "--dbpath",
                own + "/data"));
        ProcessBuilder process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(own.resolve("log").toFile()));
        process.environment().put("SEMEL_JAVA_OPTS", "-Xmx256m");
        members[member] = process.start();
    }

    void kill(int member) {
        members[member].destroyForcibly();
    }

    void awaitEnd(int member) throws InterruptedException {
        members[member].waitFor();
    }

    /** Statements are retried until they succeed. */
    String uri() {
        return "mongodb://" + String.join(",", addresses) + "/?replicaSet=rs0&timeoutMS=60000";
    }

    int port(int member) {
        String address = addresses.get(member);
        return Integer.parseInt(address.substring(address.indexOf(':') + 1));
    }

    String uri(int member) {
        return "mongodb://" + addresses.get(member) + "/?directConnection=true";
    }

    int primary(MongoClient client) {
        Document hello = client.getDatabase("admin").runCommand(new Document("hello", 1));
        return addresses.indexOf(hello.getString("primary"));
    }

    /** Until all members have everything. */
    static void awaitAll(MongoCollection<Document> counters) {
        counters.withWriteConcern(new WriteConcern(MEMBERS, ALL_MS_MAX))
                .updateOne(Filters.eq(1), Updates.set("seen", System.nanoTime()));
    }

    String memory(int member) throws IOException {
        StringBuilder told = new StringBuilder();
        Path status = Path.of("/proc", Long.toString(members[member].pid()), "status");
        for (String line : Files.readAllLines(status)) {
            if (line.startsWith("VmRSS") || line.startsWith("Threads")) {
                told.append(line.replaceAll("\\s+", " ")).append("  ");
            }
        }
        return told.toString();
    }

    @Override
    public void close() {
        for (Process each : members) {
            each.destroyForcibly();
        }
    }
}
