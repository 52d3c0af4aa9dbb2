package dev.semel.faults;

import static com.mongodb.client.model.Indexes.ascending;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoException;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.bson.Document;

/** Each name is wanted by several clients. One gets it, and who is refused is refused because another one has it. */
final class UniqueNames implements Workload {
    private static final int CLIENTS = 3;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

    private final AtomicInteger attempts = new AtomicInteger();
    private final Queue<Attempt> acknowledged = new ConcurrentLinkedQueue<>();
    private final Queue<Attempt> refused = new ConcurrentLinkedQueue<>();

    /** To insert a document with a name; its {@code _id} is the number of the attempt. */
    private record Attempt(int id, int name) {}

    private static MongoCollection<Document> names(Clients clients) {
        return clients.collection("names");
    }

    @Override
    public int clients() {
        return CLIENTS;
    }

    @Override
    public void prepare(Clients clients) {
        names(clients).createIndex(ascending("name"), new IndexOptions().unique(true));
    }

    @Override
    public void run(Clients clients, int client, BooleanSupplier isOver) {
        MongoCollection<Document> names = names(clients);
        while (!isOver.getAsBoolean()) {
            int id = attempts.getAndIncrement();
            Attempt attempt = new Attempt(id, id / CLIENTS);
            try {
                names.insertOne(new Document("_id", attempt.id).append("name", attempt.name));
                acknowledged.add(attempt);
            } catch (MongoWriteException e) {
                if (e.getError().getCategory() == ErrorCategory.DUPLICATE_KEY) {
                    refused.add(attempt);
                }
            } catch (MongoException e) {
                // It may have the name or not.
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    @Override
    public List<String> wrong(Clients clients) {
        List<String> wrong = new ArrayList<>();
        Map<Integer, Integer> owners = new HashMap<>();
        for (Document each : names(clients).find()) {
            Integer other = owners.put(each.getInteger("name"), each.getInteger("_id"));
            if (other != null) {
                wrong.add("%s has a name that %d has too".formatted(each, other));
            }
        }
        for (Attempt each : acknowledged) {
            Integer owner = owners.get(each.name);
            if (owner == null || owner != each.id) {
                wrong.add("%s was acknowledged, and the name is that of %s".formatted(each, owner));
            }
        }
        for (Attempt each : refused) {
            Integer owner = owners.get(each.name);
            if (owner == null || owner == each.id) {
                wrong.add("%s was refused, and the name is that of %s".formatted(each, owner));
            }
        }
        return wrong;
    }

    @Override
    public long acknowledged() {
        return acknowledged.size();
    }
}
