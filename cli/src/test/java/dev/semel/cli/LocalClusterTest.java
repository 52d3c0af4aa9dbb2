package dev.semel.cli;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.semel.cli.cluster.Console;
import dev.semel.cluster.Cluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code semel cluster}: real processes, and a real kill -9 of the primary. */
@Timeout(180)
class LocalClusterTest {
    private static final Pattern PRIMARY = Pattern.compile("^ {2}([0-9]) .* primary ", Pattern.MULTILINE);
    private static final Duration SOON = Duration.ofSeconds(90);

    /** Who looks all the time takes a processor from the members. */
    private static final Duration POLL = Duration.ofMillis(10);

    private final StringWriter printed = new StringWriter();

    /** The newest table: members are printed anew when one of them has news. */
    private String table() {
        String all = printed.toString();
        return all.substring(Math.max(0, all.lastIndexOf("  member ")));
    }

    private int awaitPrimary(int otherThan) {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (true) {
            Matcher found = PRIMARY.matcher(table());
            if (found.find() && Integer.parseInt(found.group(1)) != otherThan) {
                return Integer.parseInt(found.group(1));
            }
            assertThat(System.nanoTime()).as("%s", printed).isLessThan(deadline);
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    @Test
    void writesGoOnAfterThePrimaryWasKilled(@TempDir Path folder) throws Exception {
        int port = consecutivePorts();
        try (PipedWriter typed = new PipedWriter();
                BufferedReader in = new BufferedReader(new PipedReader(typed))) {
            FutureTask<Void> running = new FutureTask<>(() -> {
                new Console(new PrintWriter(printed)).run(3, port, folder, in);
                return null;
            });
            Thread.ofPlatform().start(running);
            int first = awaitPrimary(0);
            try (MongoClient client = MongoClients.create(uri())) {
                var counters = client.getDatabase("test").getCollection("counters");
                counters.insertOne(new Document("_id", 1).append("n", 0));
                for (int i = 1; i <= 60; i++) {
                    counters.updateOne(eq(1), inc("n", 1));
                    if (i == 20) {
                        typed.write("kill " + first + "\n");
                        typed.flush();
                    }
                    if (i == 40) {
                        awaitPrimary(first);
                        typed.write("restart " + first + "\n");
                        typed.flush();
                    }
                }
                assertThat(counters.find().first()).isEqualTo(new Document("_id", 1).append("n", 60));
            }
            typed.write("quit\n");
            typed.flush();
            running.get();
        }
    }

    private String uri() {
        return printed.toString()
                .lines()
                .filter(each -> each.startsWith("URI: "))
                .map(each -> each.substring("URI: ".length()))
                .collect(Collectors.joining());
    }

    private static int consecutivePorts() throws Exception {
        while (true) {
            String free = Cluster.freeAddresses(1).getFirst();
            int port = Integer.parseInt(free.substring(free.indexOf(':') + 1));
            if (port < 60_000 && isFree(port + 1) && isFree(port + 2)) {
                return port;
            }
        }
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
