package dev.semel.bench.set;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

/**
 * How long a client waits whose primary is killed with {@code kill -9}: from the kill to the first acknowledged write, which the
 * official driver retries. {@code Failover JAVA JAR FOLDER REPETITIONS} starts a set of three processes, whose memory and threads it
 * tells in the end.
 */
public final class Failover {
    private static final int MEMBERS = 3;
    private static final int PORT_OFFSET = 1000;
    private static final long SETTLE_SECONDS = 2;

    private final List<String> command;
    private final Path folder;
    private final List<String> addresses;
    private final Process[] members = new Process[MEMBERS];

    private Failover(String java, String jar, Path folder) throws IOException {
        this.command = List.of(
                java,
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-jar",
                jar,
                "serve",
                "--quiet",
                "--replSet",
                "rs0");
        this.folder = folder;
        this.addresses = addresses();
    }

    /** The arguments are the path of a java, that of the program, a folder that is made, and how often to kill. */
    public static void main(String... arguments) throws Exception {
        Failover set = new Failover(arguments[0], arguments[1], Path.of(arguments[2]));
        try {
            set.run(Integer.parseInt(arguments[3]));
        } finally {
            for (Process each : set.members) {
                if (each != null) {
                    each.destroyForcibly();
                }
            }
        }
    }

    private static List<String> addresses() throws IOException {
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

    private void start(int member) throws IOException {
        Path own = Files.createDirectories(folder.resolve("member" + member));
        List<String> words = new ArrayList<>(command);
        String port = addresses.get(member).substring(addresses.get(member).indexOf(':') + 1);
        words.addAll(List.of("--members", String.join(",", addresses), "--port", port, "--dbpath", own + "/data"));
        members[member] = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(own.resolve("log").toFile()))
                .start();
    }

    private void run(int repetitions) throws Exception {
        for (int i = 0; i < MEMBERS; i++) {
            start(i);
        }
        String uri = "mongodb://" + String.join(",", addresses) + "/?replicaSet=rs0&serverSelectionTimeoutMS=60000";
        try (MongoClient client = MongoClients.create(uri)) {
            MongoCollection<Document> counters = client.getDatabase("bench").getCollection("counters");
            counters.insertOne(new Document("_id", 1).append("n", 0));
            List<Double> killed = new ArrayList<>();
            for (int i = 0; i < repetitions; i++) {
                awaitAll(client, counters);
                int primary = primary(client);
                members[primary].destroyForcibly();
                killed.add(millisToNextWrite(counters));
                members[primary].waitFor();
                start(primary);
            }
            tell("kill -9", killed);
            awaitAll(client, counters);
            for (int i = 0; i < MEMBERS; i++) {
                System.out.printf(
                        "member %d%s: %s%n", i + 1, i == primary(client) ? " (primary)" : "", memory(members[i]));
            }
        }
    }

    /** In milliseconds. */
    private static double millisToNextWrite(MongoCollection<Document> counters) {
        long start = System.nanoTime();
        counters.updateOne(Filters.eq(1), Updates.inc("n", 1));
        return (System.nanoTime() - start) / 1e6;
    }

    private int primary(MongoClient client) {
        Document hello = client.getDatabase("admin").runCommand(new Document("hello", 1));
        return addresses.indexOf(hello.getString("primary"));
    }

    /** Until all members have everything, and a while of rest after. */
    private static void awaitAll(MongoClient client, MongoCollection<Document> counters) throws InterruptedException {
        while (true) {
            try {
                counters.withWriteConcern(new com.mongodb.WriteConcern(MEMBERS, (int) TimeUnit.MINUTES.toMillis(1)))
                        .updateOne(Filters.eq(1), Updates.set("seen", client.hashCode()));
                TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
                return;
            } catch (MongoException e) {
                System.out.println("waiting for all members: " + e.getMessage());
            }
        }
    }

    private static void tell(String what, List<Double> millis) {
        double[] sorted = millis.stream().mapToDouble(each -> each).sorted().toArray();
        System.out.printf(
                "%s to the next acknowledged write, ms: median %.0f, worst %.0f, all %s%n",
                what,
                sorted[sorted.length / 2],
                sorted[sorted.length - 1],
                Arrays.toString(Arrays.stream(sorted).mapToLong(Math::round).toArray()));
    }

    private static String memory(Process process) throws IOException {
        StringBuilder told = new StringBuilder();
        for (String line : Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
            if (line.startsWith("VmRSS") || line.startsWith("Threads")) {
                told.append(line.replaceAll("\\s+", " ")).append("  ");
            }
        }
        return told.toString();
    }
}
