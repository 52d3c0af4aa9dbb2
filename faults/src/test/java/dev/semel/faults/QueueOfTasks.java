package dev.semel.faults;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.MongoException;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.bson.BsonDocument;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * One client adds tasks, two take them, one follows the changes. An acknowledged task is there; no task is taken twice; the
 * follower sees each task that is there once, in order, and no other.
 */
final class QueueOfTasks implements Workload {
    private static final int TAKERS = 2;
    private static final int ADDER = TAKERS;
    private static final int FOLLOWER = TAKERS + 1;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final Duration SOON = Duration.ofSeconds(30);

    private final Set<Integer> added = ConcurrentHashMap.newKeySet();

    /** By task: the attempt that was told that it has the task. */
    private final Map<Integer, String> taken = new ConcurrentHashMap<>();

    private final List<String> wrong = java.util.Collections.synchronizedList(new ArrayList<>());

    /** Touched by the follower, then by the check. */
    private final List<Integer> seen = new ArrayList<>();

    private @Nullable BsonDocument token;

    private static MongoCollection<Document> tasks(Clients clients) {
        return clients.collection("tasks");
    }

    @Override
    public int clients() {
        return FOLLOWER + 1;
    }

    @Override
    public void prepare(Clients clients) {
        tasks(clients).insertOne(new Document("_id", 0).append("by", "nobody"));
        try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> stream =
                tasks(clients).watch().maxAwaitTime(1, TimeUnit.MILLISECONDS).cursor()) {
            while (token == null) {
                stream.tryNext();
                token = stream.getResumeToken();
            }
        }
    }

    @Override
    public void run(Clients clients, int client, BooleanSupplier isOver) {
        if (client < TAKERS) {
            take(clients, client, isOver);
        } else if (client == ADDER) {
            add(clients, isOver);
        } else {
            follow(clients, isOver);
        }
    }

    private void add(Clients clients, BooleanSupplier isOver) {
        for (int i = 1; !isOver.getAsBoolean(); i++) {
            try {
                tasks(clients).insertOne(new Document("_id", i));
                added.add(i);
            } catch (MongoException e) {
                if (e.getCode() == 11000) {
                    wrong.add("task %d was there before it was added: %s".formatted(i, e.getMessage()));
                }
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void take(Clients clients, int client, BooleanSupplier isOver) {
        for (int i = 0; !isOver.getAsBoolean(); i++) {
            String attempt = client + "." + i;
            try {
                Document task = tasks(clients).findOneAndUpdate(exists("by", false), set("by", attempt));
                if (task == null) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                } else {
                    String other = taken.put(task.getInteger("_id"), attempt);
                    if (other != null) {
                        wrong.add("%s and %s took %s".formatted(other, attempt, task));
                    }
                }
            } catch (MongoException e) {
                // It may have been taken or not.
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private void follow(Clients clients, BooleanSupplier isOver) {
        while (!isOver.getAsBoolean()) {
            try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> stream = tasks(clients)
                    .watch(List.of(Aggregates.match(eq("operationType", "insert"))))
                    .resumeAfter(java.util.Objects.requireNonNull(token))
                    .maxAwaitTime(100, TimeUnit.MILLISECONDS)
                    .cursor()) {
                while (!isOver.getAsBoolean()) {
                    ChangeStreamDocument<Document> change = stream.tryNext();
                    if (change != null) {
                        seen.add(java.util.Objects.requireNonNull(change.getFullDocument())
                                .getInteger("_id"));
                    }
                    token = stream.getResumeToken();
                }
            } catch (MongoException e) {
                // The driver resumes once; then this does.
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    @Override
    public List<String> wrong(Clients clients) {
        List<Integer> last = new ArrayList<>();
        Map<Integer, String> owners = new HashMap<>();
        for (Document each : tasks(clients).find().sort(new Document("_id", 1))) {
            int id = each.getInteger("_id");
            if (id > 0) {
                last.add(id);
                owners.put(id, String.valueOf(each.getString("by")));
            }
        }
        Set<Integer> missing = new HashSet<>(added);
        last.forEach(missing::remove);
        if (!missing.isEmpty()) {
            wrong.add("tasks were acknowledged and are not there: " + missing);
        }
        taken.forEach((task, attempt) -> {
            if (!attempt.equals(owners.get(task))) {
                wrong.add("%s took task %d, which has %s".formatted(attempt, task, owners.get(task)));
            }
        });
        long end = System.nanoTime() + SOON.toNanos();
        follow(clients, () -> seen.size() >= last.size() || System.nanoTime() > end);
        if (!seen.equals(last)) {
            wrong.add("the follower saw %s, and there are %s".formatted(seen, last));
        }
        return List.copyOf(wrong);
    }

    @Override
    public long acknowledged() {
        return (long) added.size() + taken.size();
    }
}
