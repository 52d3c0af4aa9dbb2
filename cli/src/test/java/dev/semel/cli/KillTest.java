package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import dev.semel.golden.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An acknowledged write survives the death of the process: a server is killed again and again while several clients
 * write, and each time what was acknowledged is compared with what is there.
 */
class KillTest {
    private static final int ROUNDS = Integer.getInteger("rounds", 4);
    private static final int CLIENTS = 4;
    private static final int OPERATIONS_MIN = 50;
    private static final int OPERATIONS_MAX = 1500;

    @TempDir
    private Path folder;

    @Test
    void acknowledgedWritesSurviveKill() {
        Seeds.check(1, this::killAgainAndAgain);
    }

    private void killAgainAndAgain(RandomGenerator random) throws Exception {
        var writers = new ArrayList<Writer>();
        for (int i = 0; i < CLIENTS; i++) {
            writers.add(new Writer(i, new SplittableRandom(random.nextLong())));
        }
        for (int round = 0; round < ROUNDS; round++) {
            try (var server = start();
                    var client = connect(server.awaitReady())) {
                var things = things(client);
                if (round == 0) {
                    things.createIndex(Indexes.ascending("group"));
                }
                check(client, things, writers);
                loadUntilKilled(server, things, writers, random.nextInt(OPERATIONS_MIN, OPERATIONS_MAX));
            }
        }
        try (var server = start();
                var client = connect(server.awaitReady())) {
            check(client, things(client), writers);
        }
    }

    private ServerProcess start() throws Exception {
        return ServerProcess.start(folder, "--dbpath", folder.resolve("data").toString(), "--port", "0");
    }

    private static MongoClient connect(String uri) {
        // What the driver repeats by itself would hide what was acknowledged and what was not.
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .retryWrites(false)
                .retryReads(false)
                .build());
    }

    private static MongoCollection<Document> things(MongoClient client) {
        return client.getDatabase("kill").getCollection("things");
    }

    /** Kills the server when the first client has had so many acknowledgements; each client stops at its first error. */
    private static void loadUntilKilled(
            ServerProcess server, MongoCollection<Document> things, List<Writer> writers, int operations)
            throws Exception {
        var enough = new CountDownLatch(operations);
        try (var threads = Executors.newFixedThreadPool(CLIENTS)) {
            var running = new ArrayList<Future<?>>();
            for (var writer : writers) {
                running.add(threads.submit(() -> writer.run(things, enough)));
            }
            enough.await();
            server.kill();
            for (var each : running) {
                each.get();
            }
        }
    }

    private static void check(MongoClient client, MongoCollection<Document> things, List<Writer> writers) {
        var present = new HashMap<String, Integer>();
        things.find().forEach(document -> present.put(document.getString("_id"), document.getInteger("n")));
        for (var writer : writers) {
            writer.check(present);
        }
        assertThat(present).as("what nobody wrote").isEmpty();
        var validation = client.getDatabase("kill").runCommand(new Document("validate", "things").append("full", true));
        assertThat(validation.getBoolean("valid")).as(validation.toJson()).isTrue();
    }

    /** One client with documents of its own. It knows what was acknowledged, and what it was waiting for at the end. */
    private static final class Writer {
        private final int number;
        private final RandomGenerator random;
        private final Map<String, Integer> acknowledged = new HashMap<>();

        /** The document whose last write was not acknowledged, and what it may be now; null is absent. */
        private String doubtful = "";

        private final Set<Integer> possible = new HashSet<>();
        private int next;

        Writer(int number, RandomGenerator random) {
            this.number = number;
            this.random = random;
        }

        Void run(MongoCollection<Document> things, CountDownLatch enough) {
            try {
                while (true) {
                    step(things);
                    enough.countDown();
                }
            } catch (MongoException killed) {
                return null;
            }
        }

        private void step(MongoCollection<Document> things) {
            int choice = acknowledged.isEmpty() ? 0 : random.nextInt(10);
            if (choice < 5) {
                var id = number + "-" + next++;
                attempt(
                        id,
                        0,
                        () -> things.insertOne(new Document("_id", id)
                                .append("n", 0)
                                .append("group", random.nextInt(50))
                                .append("text", "x".repeat(random.nextInt(500)))));
                return;
            }
            var ids = List.copyOf(acknowledged.keySet());
            var id = ids.get(random.nextInt(ids.size()));
            if (choice < 8) {
                attempt(
                        id,
                        acknowledged.getOrDefault(id, 0) + 1,
                        () -> things.updateOne(
                                Filters.eq("_id", id),
                                Updates.combine(Updates.inc("n", 1), Updates.set("group", random.nextInt(50)))));
            } else {
                attempt(id, ABSENT, () -> things.deleteOne(Filters.eq("_id", id)));
            }
        }

        private static final int ABSENT = -1;

        private void attempt(String id, int after, Runnable write) {
            doubtful = id;
            possible.clear();
            possible.add(acknowledged.getOrDefault(id, ABSENT));
            possible.add(after);
            write.run();
            doubtful = "";
            if (after == ABSENT) {
                acknowledged.remove(id);
            } else {
                acknowledged.put(id, after);
            }
        }

        /** Takes its documents out of what is present, and settles what was in doubt. */
        void check(Map<String, Integer> present) {
            if (!doubtful.isEmpty()) {
                int found = present.getOrDefault(doubtful, ABSENT);
                assertThat(possible).as("document %s", doubtful).contains(found);
                acknowledged.remove(doubtful);
                if (found != ABSENT) {
                    acknowledged.put(doubtful, found);
                }
                doubtful = "";
            }
            var mine = new HashMap<String, Integer>();
            present.forEach((id, n) -> {
                if (id.startsWith(number + "-")) {
                    mine.put(id, n);
                }
            });
            assertThat(mine).isEqualTo(acknowledged);
            present.keySet().removeAll(mine.keySet());
        }
    }
}
