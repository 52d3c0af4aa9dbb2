package dev.semel.bench.set;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.bson.Document;

/**
 * Increments with {@code w: "majority"}, by one client and by many, of documents of their own and of one that all share, on
 * several servers or sets in turn: {@code SetLoad NAME=URI...}.
 */
public final class SetLoad {
    private static final int ROUNDS = 3;
    private static final int CLIENTS = 64;

    /** Of each load with many clients: the compilers of three members share the cores for longer than those of one server. */
    private static final long WARM_UP_SECONDS = 100;

    private static final long SECONDS = 5;

    private enum Case {
        ONE_CLIENT("one client", 1, false),
        OWN_DOCUMENTS("64 clients, a document each", CLIENTS, false),
        ONE_DOCUMENT("64 clients, one document", CLIENTS, true);

        final String title;
        final int clients;
        final boolean isShared;

        Case(String title, int clients, boolean isShared) {
            this.title = title;
            this.clients = clients;
            this.isShared = isShared;
        }
    }

    private SetLoad() {}

    /** The arguments are names with connection strings. */
    public static void main(String... arguments) throws Exception {
        Map<String, MongoClient> targets = new LinkedHashMap<>();
        for (String each : arguments) {
            int equals = each.indexOf('=');
            targets.put(each.substring(0, equals), client(each.substring(equals + 1)));
        }
        for (MongoClient each : targets.values()) {
            prepare(each);
            rate(each, Case.OWN_DOCUMENTS, WARM_UP_SECONDS);
            rate(each, Case.ONE_DOCUMENT, WARM_UP_SECONDS);
        }
        Map<String, Map<Case, Double>> best = new LinkedHashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (Case load : Case.values()) {
                for (var target : targets.entrySet()) {
                    double rate = rate(target.getValue(), load, SECONDS);
                    System.out.printf("%-12s %-30s %8.0f/s%n", target.getKey(), load.title, rate);
                    best.computeIfAbsent(target.getKey(), name -> new LinkedHashMap<>())
                            .merge(load, rate, Math::max);
                }
            }
        }
        System.out.println("best of " + ROUNDS + ":");
        best.forEach((name, rates) ->
                rates.forEach((load, rate) -> System.out.printf("%-12s %-30s %8.0f/s%n", name, load.title, rate)));
        targets.values().forEach(MongoClient::close);
    }

    private static MongoClient client(String uri) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new com.mongodb.ConnectionString(uri))
                .applyToConnectionPoolSettings(pool -> pool.maxSize(CLIENTS))
                .build());
    }

    private static MongoCollection<Document> counters(MongoClient client) {
        return client.getDatabase("bench").getCollection("counters");
    }

    private static void prepare(MongoClient client) {
        counters(client).drop();
        List<Document> documents = new ArrayList<>();
        for (int id = 0; id < CLIENTS; id++) {
            documents.add(new Document("_id", id).append("n", 0L));
        }
        counters(client).insertMany(documents);
    }

    /** Operations in a second. */
    private static double rate(MongoClient client, Case load, long seconds) throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        LongAdder done = new LongAdder();
        List<Thread> threads = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < load.clients; i++) {
            int id = load.isShared ? 0 : i;
            threads.add(Thread.ofPlatform().start(() -> {
                while (!stop.get()) {
                    counters(client).updateOne(Filters.eq(id), Updates.inc("n", 1L));
                    done.increment();
                }
            }));
        }
        TimeUnit.SECONDS.sleep(seconds);
        stop.set(true);
        for (Thread each : threads) {
            each.join();
        }
        return done.sum() * 1e9 / (System.nanoTime() - start);
    }
}
