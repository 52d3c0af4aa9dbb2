package dev.semel.bench.held;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import org.bson.Document;
import org.bson.types.Binary;

/**
 * What other clients notice of many that find documents at random in a database far larger than the cache: {@code ColdFinds <uri>
 * <documents>}, of 1 KB that do not compress.
 */
public final class ColdFinds {
    private static final int BATCH = 1_000;
    private static final int DOCUMENT_BYTES = 1_024;
    private static final int FINDERS = 32;
    private static final int ROUNDS = 3;
    private static final long SECONDS = 8;

    private final MongoCollection<Document> collection;
    private final int documents;
    private final LongAdder found = new LongAdder();
    private volatile boolean stopped;

    private ColdFinds(MongoCollection<Document> collection, int documents) {
        this.collection = collection;
        this.documents = documents;
    }

    /** The arguments are the connection string and the number of documents. */
    public static void main(String... arguments) throws Exception {
        try (MongoClient client = MongoClients.create(arguments[0])) {
            ColdFinds finds = new ColdFinds(
                    client.getDatabase("bench").getCollection("coldFinds"), Integer.parseInt(arguments[1]));
            finds.fill();
            finds.run(new Bystanders(client));
        }
    }

    private void fill() {
        collection.drop();
        Random random = new Random(1);
        List<Document> batch = new ArrayList<>();
        for (int id = 0; id < documents; id++) {
            byte[] bytes = new byte[DOCUMENT_BYTES];
            random.nextBytes(bytes);
            batch.add(new Document("_id", id).append("bytes", new Binary(bytes)));
            if (batch.size() == BATCH || id == documents - 1) {
                collection.insertMany(batch);
                batch.clear();
            }
        }
    }

    private void run(Bystanders others) throws Exception {
        others.alone("warm-up", SECONDS);
        others.alone("nothing else", SECONDS);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < FINDERS; i++) {
            threads.add(Thread.ofPlatform().start(this::find));
        }
        for (int round = 0; round < ROUNDS; round++) {
            found.reset();
            others.alone("beside cold finds", SECONDS);
            System.out.printf("%,d finds a second%n", found.sum() / SECONDS);
        }
        stopped = true;
        for (Thread each : threads) {
            each.join();
        }
    }

    private void find() {
        while (!stopped) {
            collection
                    .find(Filters.eq(ThreadLocalRandom.current().nextInt(documents)))
                    .first();
            found.increment();
        }
    }
}
