package dev.semel.bench.build;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.Document;

/**
 * Four clients increment documents of a collection, each by its {@code _id}, without an index being built and then while one
 * is: {@code IndexBuildLoad <uri> <documents>}. Prints how long the build took, the rates, and how long the slowest write took.
 */
public final class IndexBuildLoad {
    private static final int WRITERS = 4;
    private static final int BATCH = 1_000;
    private static final long ALONE_SECS = 5;

    private final MongoCollection<Document> collection;
    private final int documents;

    private IndexBuildLoad(MongoCollection<Document> collection, int documents) {
        this.collection = collection;
        this.documents = documents;
    }

    /** The arguments are the connection string and the number of documents. */
    public static void main(String... arguments) throws Exception {
        try (MongoClient client = MongoClients.create(arguments[0])) {
            new IndexBuildLoad(client.getDatabase("bench").getCollection("indexBuild"), Integer.parseInt(arguments[1]))
                    .run();
        }
    }

    private void run() throws Exception {
        fill();
        CountDownLatch time = new CountDownLatch(1);
        report("alone", () -> time.await(ALONE_SECS, TimeUnit.SECONDS));
        report("beside a build", () -> collection.createIndex(Indexes.ascending("tags", "number")));
    }

    private void fill() {
        collection.drop();
        Random random = new Random(1);
        List<Document> batch = new ArrayList<>();
        for (int id = 0; id < documents; id++) {
            batch.add(new Document("_id", id)
                    .append("number", random.nextInt())
                    .append("tags", List.of(random.nextInt(1_000), random.nextInt(1_000)))
                    .append("text", "x".repeat(200)));
            if (batch.size() == BATCH || id == documents - 1) {
                collection.insertMany(batch);
                batch.clear();
            }
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private void report(String name, Work work) throws Exception {
        AtomicBoolean isDone = new AtomicBoolean();
        List<Long> nanos = new ArrayList<>();
        long begun = System.nanoTime();
        try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<List<Long>>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                Random random = new Random(writer);
                writers.add(threads.submit(() -> write(random, isDone)));
            }
            try {
                work.run();
            } finally {
                isDone.set(true);
            }
            for (Future<List<Long>> each : writers) {
                nanos.addAll(each.get());
            }
        }
        double secs = (System.nanoTime() - begun) / 1e9;
        Collections.sort(nanos);
        System.out.printf(
                "%-16s %6.1f s  %8.0f writes/s  p50 %7.2f ms  p99 %7.2f ms  slowest %9.2f ms%n",
                name,
                secs,
                nanos.size() / secs,
                nanos.get(nanos.size() / 2) / 1e6,
                nanos.get(nanos.size() * 99 / 100) / 1e6,
                nanos.getLast() / 1e6);
    }

    private List<Long> write(Random random, AtomicBoolean isDone) {
        List<Long> nanos = new ArrayList<>();
        while (!isDone.get()) {
            long begun = System.nanoTime();
            collection.updateOne(Filters.eq(random.nextInt(documents)), Updates.inc("number", 1));
            nanos.add(System.nanoTime() - begun);
        }
        return nanos;
    }
}
