package dev.semel.bench.set;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.bson.Document;

/**
 * How long a client waits whose primary is killed with {@code kill -9}: from the kill to the first acknowledged write, which the
 * official driver retries; and how long no member is primary when one steps down. {@code Failover LAUNCHER FOLDER REPETITIONS}
 * starts a set of three processes, whose memory and threads it tells in the end.
 */
public final class Failover {
    private static final long SETTLE_SECONDS = 2;

    /** Who looks all the time takes a processor from the members. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int CATCH_UP_SECONDS = 10;
    private static final int STEP_DOWN_SECONDS = CATCH_UP_SECONDS + 1;

    private final MemberProcesses set;

    private Failover(MemberProcesses set) {
        this.set = set;
    }

    /** The arguments are the path of the launcher, a folder that is made, and how often to kill. */
    public static void main(String... arguments) throws Exception {
        try (MemberProcesses set = MemberProcesses.start(arguments[0], Path.of(arguments[1]))) {
            new Failover(set).run(Integer.parseInt(arguments[2]));
        }
    }

    private void run(int repetitions) throws Exception {
        try (MongoClient client = MongoClients.create(set.uri())) {
            MongoCollection<Document> counters = client.getDatabase("bench").getCollection("counters");
            counters.insertOne(new Document("_id", 1).append("n", 0));
            List<Double> killed = new ArrayList<>();
            for (int i = 0; i < repetitions; i++) {
                settle(counters);
                int primary = set.primary(client);
                set.kill(primary);
                killed.add(millisToNextWrite(counters));
                set.awaitEnd(primary);
                set.start(primary);
            }
            Times.tell("kill -9 to the next acknowledged write", killed);
            List<Double> without = new ArrayList<>();
            for (int i = 0; i < repetitions; i++) {
                settle(counters);
                without.add(millisWithoutPrimary(set.primary(client)));
            }
            Times.tell("without a primary after replSetStepDown", without);
            settle(counters);
            for (int i = 0; i < MemberProcesses.MEMBERS; i++) {
                System.out.printf(
                        "member %d%s: %s%n", i + 1, i == set.primary(client) ? " (primary)" : "", set.memory(i));
            }
        }
    }

    private static void settle(MongoCollection<Document> counters) throws InterruptedException {
        MemberProcesses.awaitAll(counters);
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
    }

    private static double millisToNextWrite(MongoCollection<Document> counters) {
        long start = System.nanoTime();
        counters.updateOne(Filters.eq(1), Updates.inc("n", 1));
        return (System.nanoTime() - start) / 1e6;
    }

    /** From the last reply of the old primary that says that it is one to the first of another member. */
    private double millisWithoutPrimary(int old) throws InterruptedException {
        AtomicLong last = new AtomicLong();
        AtomicLong first = new AtomicLong();
        AtomicBoolean isFound = new AtomicBoolean();
        List<Thread> watchers = new ArrayList<>();
        for (int i = 0; i < MemberProcesses.MEMBERS; i++) {
            int member = i;
            watchers.add(Thread.ofPlatform().daemon().start(() -> {
                try (Hello hello = new Hello(set.port(member))) {
                    while (!isFound.get()) {
                        if (hello.isWritablePrimary()) {
                            if (member == old) {
                                last.set(System.nanoTime());
                            } else if (isFound.compareAndSet(false, true)) {
                                first.set(System.nanoTime());
                            }
                        }
                        LockSupport.parkNanos(LOOK_NANOS);
                    }
                }
            }));
        }
        try (MongoClient direct = MongoClients.create(set.uri(old))) {
            MongoDatabase admin = direct.getDatabase("admin");
            admin.runCommand(new Document("hello", 1));
            admin.runCommand(new Document("replSetStepDown", STEP_DOWN_SECONDS)
                    .append("secondaryCatchUpPeriodSecs", CATCH_UP_SECONDS));
            for (Thread each : watchers) {
                each.join();
            }
            // Otherwise the next primary but one would wait until this member may take over again.
            admin.runCommand(new Document("replSetFreeze", 0));
        }
        return Math.max(0, (first.get() - last.get()) / 1e6);
    }
}
