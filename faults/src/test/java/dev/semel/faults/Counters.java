package dev.semel.faults;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.bson.Document;

/** Each client increments a counter of its own and one of all. A driver retries an increment once; after that it may be there or not. */
final class Counters implements Workload {
    private static final int CLIENTS = 3;
    private static final int SHARED = CLIENTS;

    private final AtomicLongArray done = new AtomicLongArray(CLIENTS + 1);
    private final AtomicLongArray unknown = new AtomicLongArray(CLIENTS + 1);

    private static MongoCollection<Document> counters(Clients clients) {
        return clients.collection("counters");
    }

    @Override
    public int clients() {
        return CLIENTS;
    }

    @Override
    public void prepare(Clients clients) {
        for (int i = 0; i <= CLIENTS; i++) {
            counters(clients).insertOne(new Document("_id", i).append("n", 0L));
        }
    }

    @Override
    public void run(Clients clients, int client, BooleanSupplier isOver) {
        MongoCollection<Document> counters = counters(clients);
        for (int i = 0; !isOver.getAsBoolean(); i++) {
            int counter = i % 2 == 0 ? client : SHARED;
            try {
                counters.updateOne(eq(counter), inc("n", 1L));
                done.incrementAndGet(counter);
            } catch (MongoException e) {
                unknown.incrementAndGet(counter);
            }
        }
    }

    @Override
    public List<String> wrong(Clients clients) {
        List<String> wrong = new ArrayList<>();
        for (Document each : counters(clients).find()) {
            int counter = each.getInteger("_id");
            long n = each.getLong("n");
            long least = done.get(counter);
            long most = least + unknown.get(counter);
            if (n < least || n > most) {
                wrong.add("counter %d is %d, and %d to %d increments happened".formatted(counter, n, least, most));
            }
        }
        return wrong;
    }

    @Override
    public long acknowledged() {
        return LongStream.range(0, CLIENTS + 1).map(i -> done.get((int) i)).sum();
    }
}
