package dev.semel.faults;

import dev.semel.driver.MongoCollection;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.model.Filters;
import dev.semel.driver.model.UpdateOptions;
import dev.semel.driver.model.Updates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.bson.Document;

/**
 * Increments by this project's driver, each with a token: where the outcome is unknown, {@code writeOutcome} proves it. So a
 * counter is exactly what was acknowledged or proven.
 */
final class ProvenCounters implements Workload {
    private static final int CLIENTS = 2;
    private static final int SHARED = CLIENTS;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final Duration ANSWER_ATMOST = Duration.ofSeconds(40);

    private final AtomicLongArray acknowledged = new AtomicLongArray(CLIENTS + 1);
    private final AtomicLongArray proven = new AtomicLongArray(CLIENTS + 1);

    private static MongoCollection<Document> counters(Clients clients) {
        return clients.own().getDatabase(FaultySet.DATABASE).getCollection("proven");
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
            String token = client + "." + i;
            try {
                counters.updateOne(Filters.eq(counter), Updates.inc("n", 1L), new UpdateOptions().once(token));
                acknowledged.incrementAndGet(counter);
            } catch (MongoException e) {
                if (isApplied(clients, token)) {
                    proven.incrementAndGet(counter);
                }
            }
        }
    }

    private static boolean isApplied(Clients clients, String token) {
        Document question = new Document("writeOutcome", new Document("once", token));
        Patience patience = clients.patience(ANSWER_ATMOST);
        String last = "";
        while (!patience.isOver()) {
            try {
                String outcome =
                        clients.own().getDatabase("admin").runCommand(question).getString("outcome");
                last = outcome;
                switch (outcome) {
                    case "applied" -> {
                        return true;
                    }
                    case "notApplied" -> {
                        return false;
                    }
                    case "inProgress" -> {}
                    default -> throw new AssertionError("the outcome of " + token + " is " + outcome);
                }
            } catch (MongoException e) {
                // Asking again changes nothing.
                last = e.toString();
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new AssertionError("no answer to writeOutcome of " + token + " " + patience + ", but " + last);
    }

    @Override
    public List<String> wrong(Clients clients) {
        List<String> wrong = new ArrayList<>();
        for (Document each : counters(clients).find()) {
            int counter = each.getInteger("_id");
            long sum = acknowledged.get(counter) + proven.get(counter);
            if (each.getLong("n") != sum) {
                wrong.add("counter %d is %d, acknowledged %d, proven %d"
                        .formatted(counter, each.getLong("n"), acknowledged.get(counter), proven.get(counter)));
            }
        }
        return wrong;
    }

    @Override
    public long acknowledged() {
        return LongStream.range(0, CLIENTS + 1)
                .map(i -> acknowledged.get((int) i) + proven.get((int) i))
                .sum();
    }
}
