package dev.semel.bench.held;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.bson.Document;

/**
 * Clients that have nothing to do with the work beside which they are measured: one pings, one finds documents by {@code _id}, one
 * increments them, each in its own collection, one operation after the other with a pause between them.
 */
final class Bystanders {
    private static final int DOCUMENTS = 1_000;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Map<String, Runnable> operations = new LinkedHashMap<>();

    Bystanders(MongoClient client) {
        MongoCollection<Document> read = filled(client, "bystandersRead");
        MongoCollection<Document> written = filled(client, "bystandersWritten");
        operations.put("ping", () -> client.getDatabase("bench").runCommand(new Document("ping", 1)));
        operations.put("find", () -> read.find(Filters.eq(anyId())).first());
        operations.put("update", () -> written.updateOne(Filters.eq(anyId()), Updates.inc("n", 1)));
    }

    private static MongoCollection<Document> filled(MongoClient client, String name) {
        MongoCollection<Document> collection = client.getDatabase("bench").getCollection(name);
        collection.drop();
        List<Document> documents = new ArrayList<>();
        for (int id = 0; id < DOCUMENTS; id++) {
            documents.add(new Document("_id", id).append("n", 0));
        }
        collection.insertMany(documents);
        return collection;
    }

    private static int anyId() {
        return ThreadLocalRandom.current().nextInt(DOCUMENTS);
    }

    /** Does the work once, and prints how long it took and what the bystanders noticed of it. */
    void beside(String name, Callable<?> work) throws Exception {
        List<Watch> watches = operations.entrySet().stream()
                .map(each -> new Watch(each.getKey(), each.getValue()))
                .toList();
        watches.forEach(each -> each.thread.start());
        long begun = System.nanoTime();
        try {
            work.call();
        } finally {
            double seconds = (System.nanoTime() - begun) / 1e9;
            List<String> told = new ArrayList<>();
            for (Watch each : watches) {
                told.add(each.stop());
            }
            System.out.printf(Locale.ROOT, "%s, %.2f s: %s%n", name, seconds, String.join("; ", told));
        }
    }

    /** The same with nothing beside it, for so long. */
    void alone(String name, long seconds) throws Exception {
        beside(name, () -> {
            TimeUnit.SECONDS.sleep(seconds);
            return null;
        });
    }

    private static final class Watch {
        private final String name;
        private final Runnable operation;
        private final Thread thread = Thread.ofPlatform().unstarted(this::run);
        private final List<Long> nanos = new ArrayList<>();
        private volatile boolean stopped;

        Watch(String name, Runnable operation) {
            this.name = name;
            this.operation = operation;
        }

        private void run() {
            do {
                long begun = System.nanoTime();
                operation.run();
                nanos.add(System.nanoTime() - begun);
                LockSupport.parkNanos(PAUSE_NANOS);
            } while (!stopped);
        }

        String stop() throws InterruptedException {
            stopped = true;
            thread.join();
            long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
            return String.format(
                    Locale.ROOT,
                    "%s median %.2f, p99 %.1f, max %.1f ms (%d)",
                    name,
                    sorted[sorted.length / 2] / 1e6,
                    sorted[sorted.length * 99 / 100] / 1e6,
                    sorted[sorted.length - 1] / 1e6,
                    sorted.length);
        }
    }
}
