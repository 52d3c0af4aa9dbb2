package dev.semel.cli;

import dev.semel.cluster.Cluster;
import dev.semel.driver.MongoClient;
import dev.semel.driver.MongoClients;
import dev.semel.driver.MongoCollection;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.model.Accumulators;
import dev.semel.driver.model.Aggregates;
import dev.semel.driver.model.Filters;
import dev.semel.driver.model.UpdateOptions;
import dev.semel.driver.model.Updates;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bson.Document;

/**
 * What a JVM does once so that later ones start with its classes loaded and linked, and know which code is worth compiling: it runs a
 * server in memory, one on disk and a set of three, each with some seconds of work, and changes the primary of the set. The
 * launcher runs it with {@code -XX:AOTCacheOutput} (JEP 483, 514 and 515), so what happens here is what is quick later.
 *
 * <p>{@code Training FOLDER}: the folder is made, for the servers' data.
 */
public final class Training {
    private static final int MEMBERS = 3;
    private static final int CLIENTS = 4;
    private static final int PRIMARIES = 3;
    private static final Duration EACH = Duration.ofMillis(1_500);
    private static final Duration AFTER_CHANGE = Duration.ofMillis(200);

    /** Statements that cost more come once in so many others. */
    private static final int RARELY = 8;

    private static final int VALUES = 10;
    private static final int SOME = 20;
    private static final String TEXT = "some words that a document has ".repeat(8);

    private final AtomicInteger lastId = new AtomicInteger();

    private Training() {}

    /** Ends the JVM, whatever still runs in it. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int code = 0;
        try {
            new Training().run(Path.of(args[0]));
        } catch (MongoException e) {
            System.err.println("semel: the training stopped: " + e.getMessage());
            code = 1;
        }
        System.exit(code);
    }

    private void run(Path folder) throws IOException, InterruptedException {
        var addresses = Cluster.freeAddresses(2 + MEMBERS);
        var memory = addresses.get(0);
        serve("--memory", "--port", port(memory));
        work(uri(memory));
        var disk = addresses.get(1);
        serve("--dbpath", folder.resolve("disk").toString(), "--port", port(disk));
        work(uri(disk));
        var members = addresses.subList(2, addresses.size());
        for (var each : members) {
            var data = folder.resolve(port(each)).toString();
            serve("--dbpath", data, "--port", port(each), "--replSet", "rs0", "--members", String.join(",", members));
        }
        var set = uri(String.join(",", members)) + "&replicaSet=rs0";
        work(set);
        changePrimary(set);
    }

    private static String port(String address) {
        return address.substring(address.indexOf(':') + 1);
    }

    private static String uri(String addresses) {
        return "mongodb://" + addresses + "/?serverSelectionTimeoutMS=20000";
    }

    /** As the command does, until the JVM ends. */
    private static void serve(String... options) {
        var words = new ArrayList<>(List.of(Serve.NAME, "--quiet"));
        words.addAll(List.of(options));
        Thread.ofPlatform().daemon().start(() -> Main.commandLine(Map.of()).execute(words.toArray(String[]::new)));
    }

    private void work(String uri) throws InterruptedException {
        try (var client = MongoClients.create(uri)) {
            var documents = documents(client);
            documents.createIndex(new Document("kind", 1));
            var threads = IntStream.range(0, CLIENTS)
                    .mapToObj(i -> Thread.ofPlatform().start(() -> work(client, EACH)))
                    .toList();
            for (var each : threads) {
                each.join();
            }
        }
    }

    private static MongoCollection<Document> documents(MongoClient client) {
        return client.getDatabase("training").getCollection("documents");
    }

    private void work(MongoClient client, Duration atLeast) {
        var documents = documents(client);
        long start = System.nanoTime();
        for (int i = 0; System.nanoTime() - start < atLeast.toNanos(); i++) {
            int id = lastId.incrementAndGet();
            documents.insertOne(document(id));
            documents.updateOne(Filters.eq(id), Updates.inc("n", 1));
            documents.updateOne(Filters.eq("all"), Updates.inc("n", 1), new UpdateOptions().upsert(true));
            documents.find(Filters.eq(id)).first();
            documents.find(Filters.eq("kind", id % VALUES)).limit(SOME).into(new ArrayList<>());
            if (i % RARELY == 0) {
                several(client, documents, id);
            }
        }
    }

    private void several(MongoClient client, MongoCollection<Document> documents, int id) {
        documents.insertMany(IntStream.range(0, SOME)
                .mapToObj(i -> document(lastId.incrementAndGet()))
                .toList());
        documents
                .aggregate(List.of(
                        Aggregates.match(Filters.lt("kind", VALUES / 2)),
                        Aggregates.group("$kind", Accumulators.sum("n", "$n")),
                        Aggregates.sort(new Document("n", -1))))
                .into(new ArrayList<>());
        try (var session = client.startSession()) {
            session.withTransaction(() -> {
                documents.updateOne(session, Filters.eq(id), Updates.set("text", "another"));
                return documents.countDocuments(session, Filters.eq("kind", id % VALUES));
            });
        }
        documents.deleteMany(Filters.gt("_id", lastId.get() - SOME / 2));
    }

    private static Document document(int id) {
        return new Document("_id", id)
                .append("kind", id % VALUES)
                .append("text", TEXT)
                .append("list", List.of(1, 2.5, "three"));
    }

    private void changePrimary(String set) {
        try (var client = MongoClients.create(set)) {
            for (int i = 0; i < PRIMARIES; i++) {
                client.getDatabase("admin")
                        .runCommand(new Document("replSetStepDown", 1).append("secondaryCatchUpPeriodSecs", 1));
                work(client, AFTER_CHANGE);
            }
        }
    }
}
