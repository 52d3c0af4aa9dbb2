package dev.semel.bench.set;

import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.bson.Document;

/**
 * How far secondaries are behind while clients write, and how long a member takes to catch up that was away meanwhile.
 * {@code Lag LAUNCHER FOLDER CLIENTS ABSENCE_SECONDS} starts a set of three processes.
 */
public final class Lag {
    private static final int SAMPLES = 200;
    private static final long BETWEEN_SAMPLES_MS = 50;
    private static final long WARM_UP_SECONDS = 15;

    private final MemberProcesses set;
    private final LongAdder written = new LongAdder();

    private Lag(MemberProcesses set) {
        this.set = set;
    }

    /** The arguments are the path of the launcher, a folder that is made, clients, and seconds of absence. */
    public static void main(String... arguments) throws Exception {
        try (MemberProcesses set = MemberProcesses.start(arguments[0], Path.of(arguments[1]))) {
            new Lag(set).run(Integer.parseInt(arguments[2]), Long.parseLong(arguments[3]));
        }
    }

    private void run(int clients, long absenceSeconds) throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        try (MongoClient client = MongoClients.create(set.uri())) {
            MongoCollection<Document> counters = client.getDatabase("bench").getCollection("counters");
            counters.insertOne(new Document("_id", 1));
            for (int i = 0; i < clients; i++) {
                int id = 2 + i;
                counters.insertOne(new Document("_id", id).append("n", 0L));
                threads.add(Thread.ofPlatform().start(() -> {
                    while (!stop.get()) {
                        counters.updateOne(Filters.eq(id), Updates.inc("n", 1L));
                        written.increment();
                    }
                }));
            }
            TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
            int secondary = (set.primary(client) + 1) % MemberProcesses.MEMBERS;
            long start = System.nanoTime();
            long before = written.sum();
            Times.tell(
                    "with %d clients, from the acknowledgement of a write until a secondary shows it"
                            .formatted(clients),
                    lags(counters, secondary));
            System.out.printf(
                    "meanwhile %.0f writes/s%n", (written.sum() - before) * 1e9 / (System.nanoTime() - start));
            absence(counters, secondary, absenceSeconds);
            stop.set(true);
            for (Thread each : threads) {
                each.join();
            }
        }
    }

    private List<Double> lags(MongoCollection<Document> counters, int secondary) throws InterruptedException {
        List<Double> lags = new ArrayList<>();
        try (MongoClient direct = MongoClients.create(set.uri(secondary))) {
            MongoCollection<Document> copy =
                    direct.getDatabase("bench").getCollection("counters").withReadPreference(ReadPreference.nearest());
            for (long sample = 1; sample <= SAMPLES; sample++) {
                counters.updateOne(Filters.eq(1), Updates.set("sample", sample));
                long acknowledged = System.nanoTime();
                while (copy.find(Filters.and(Filters.eq(1), Filters.eq("sample", sample)))
                                .first()
                        == null) {
                    Thread.onSpinWait();
                }
                lags.add((System.nanoTime() - acknowledged) / 1e6);
                TimeUnit.MILLISECONDS.sleep(BETWEEN_SAMPLES_MS);
            }
        }
        return lags;
    }

    /** From the start of its process, which takes a second or two, until it has everything. */
    private void absence(MongoCollection<Document> counters, int member, long seconds) throws Exception {
        set.kill(member);
        set.awaitEnd(member);
        long before = written.sum();
        TimeUnit.SECONDS.sleep(seconds);
        long missed = written.sum() - before;
        long start = System.nanoTime();
        set.start(member);
        counters.withWriteConcern(new WriteConcern(MemberProcesses.MEMBERS, (int) TimeUnit.MINUTES.toMillis(5)))
                .updateOne(Filters.eq(1), Updates.set("sample", -1L));
        System.out.printf(
                "away for %d s and %d commits: caught up %.1f s after its start%n",
                seconds, missed, (System.nanoTime() - start) / 1e9);
    }
}
