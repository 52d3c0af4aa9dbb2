package dev.semel.faults;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.push;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.bson.Document;

/**
 * One client appends numbers to a list; what others read of it, on any member, must be the beginning of what it is at the end.
 * A linearizable read has all that was acknowledged before it, and so has a read in the session of the writer.
 */
final class Prefixes implements Workload {
    private static final int MEMBERS = 3;

    /** One writes, one reads linearizably, one otherwise. */
    private static final int CLIENTS = 3;

    private static final String ID = "list";
    private static final long READ_MS_MAX = 1_000;
    private static final long BETWEEN_READS_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final RandomGenerator random;
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicInteger linearizable = new AtomicInteger();
    private final Queue<Read> reads = new ConcurrentLinkedQueue<>();

    /**
     * What a client saw.
     *
     * @param atLeast the number that it must have seen
     */
    private record Read(String how, int atLeast, List<Integer> elements) {
        private boolean isBeginningOf(List<Integer> last) {
            return elements.size() <= last.size() && elements.equals(last.subList(0, elements.size()));
        }

        private boolean isRecent() {
            return atLeast == 0 || elements.contains(atLeast);
        }
    }

    Prefixes(RandomGenerator random) {
        this.random = random;
    }

    @Override
    public int clients() {
        return CLIENTS;
    }

    @Override
    public void prepare(Clients clients) {
        clients.collection("prefixes").insertOne(new Document("_id", ID).append("all", List.of()));
    }

    @Override
    public void run(Clients clients, int client, BooleanSupplier isOver) {
        switch (client) {
            case 0 -> write(clients, isOver);
            case 1 -> readLinearizable(clients, isOver);
            default -> readElsewhere(clients, isOver);
        }
    }

    private void write(Clients clients, BooleanSupplier isOver) {
        MongoCollection<Document> list = clients.collection("prefixes");
        MongoCollection<Document> copy =
                list.withReadPreference(ReadPreference.secondaryPreferred()).withReadConcern(ReadConcern.MAJORITY);
        ClientSessionOptions causal =
                ClientSessionOptions.builder().causallyConsistent(true).build();
        try (ClientSession session = clients.official().startSession(causal)) {
            for (int i = 1; !isOver.getAsBoolean(); i++) {
                try {
                    list.updateOne(session, eq(ID), push("all", i));
                    acknowledged.set(i);
                    read("in the writer's session", i, copy, session);
                } catch (MongoException e) {
                    // It may be there or not.
                    pause();
                }
            }
        }
    }

    private void readLinearizable(Clients clients, BooleanSupplier isOver) {
        for (int i = 0; !isOver.getAsBoolean(); i++) {
            int member = i % MEMBERS;
            MongoCollection<Document> list = clients.direct(member, "prefixes")
                    .withReadPreference(ReadPreference.primary())
                    .withReadConcern(ReadConcern.LINEARIZABLE);
            try {
                read("linearizable on " + member, acknowledged.get(), list, null);
                linearizable.incrementAndGet();
            } catch (MongoException e) {
                // Not the primary, or it cannot know.
                pause();
            }
        }
    }

    private void readElsewhere(Clients clients, BooleanSupplier isOver) {
        for (int i = 0; !isOver.getAsBoolean(); i++) {
            int member = i % MEMBERS;
            ReadConcern concern = random.nextBoolean() ? ReadConcern.MAJORITY : ReadConcern.SNAPSHOT;
            MongoCollection<Document> list = clients.direct(member, "prefixes")
                    .withReadPreference(ReadPreference.nearest())
                    .withReadConcern(concern);
            try {
                read(concern.getLevel() + " on " + member, 0, list, null);
            } catch (MongoException e) {
                // It does not run.
                pause();
            }
        }
    }

    private void read(
            String how,
            int atLeast,
            MongoCollection<Document> list,
            @org.jspecify.annotations.Nullable ClientSession session) {
        var found = session == null ? list.find(eq(ID)) : list.find(session, eq(ID));
        Document document = found.maxTime(READ_MS_MAX, TimeUnit.MILLISECONDS).first();
        List<Integer> elements = document == null ? List.of() : document.getList("all", Integer.class);
        reads.add(new Read(how, atLeast, List.copyOf(elements)));
        pause();
    }

    private static void pause() {
        LockSupport.parkNanos(BETWEEN_READS_NANOS);
    }

    @Override
    public List<String> wrong(Clients clients) {
        Document document = clients.collection("prefixes").find(eq(ID)).first();
        List<Integer> last = document == null ? List.of() : document.getList("all", Integer.class);
        List<String> wrong = new ArrayList<>();
        for (int i = 1; i < last.size(); i++) {
            if (last.get(i) <= last.get(i - 1)) {
                wrong.add("%d comes behind %d".formatted(last.get(i), last.get(i - 1)));
            }
        }
        for (Read each : reads) {
            if (!each.isRecent()) {
                wrong.add("read %s: %d was acknowledged before, the newest seen is %s"
                        .formatted(each.how, each.atLeast, newest(each.elements)));
            } else if (!each.isBeginningOf(last)) {
                wrong.add("read %s: %s is not the beginning of %s".formatted(each.how, each.elements, last));
            }
        }
        return wrong.size() > 3 ? wrong.subList(0, 3) : wrong;
    }

    private static String newest(List<Integer> elements) {
        return elements.isEmpty() ? "none" : elements.getLast().toString();
    }

    @Override
    public long acknowledged() {
        return (long) acknowledged.get() + linearizable.get();
    }
}
