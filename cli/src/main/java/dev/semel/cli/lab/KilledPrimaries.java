package dev.semel.cli.lab;

import dev.semel.cli.cluster.LocalSet;
import dev.semel.cli.lab.Visits.Visit;
import dev.semel.cluster.Cluster;
import dev.semel.driver.MongoClient;
import dev.semel.driver.MongoClients;
import dev.semel.driver.MongoCollection;
import dev.semel.driver.error.MongoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.Document;

/** The second act: all strategies at work on a set of three processes, whose primary is killed and killed again. */
final class KilledPrimaries {
    private static final int MEMBERS = 3;
    private static final int THREADS_OF_STRATEGY = 2;
    private static final String DATABASE = "lab";

    /** So much goes well before each kill and after the last one. */
    private static final int VISITS_BETWEEN = 10;

    private static final long LOOK_MS = 20;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** A member that answers at all answers within this. */
    private static final String ONE_MEMBER = "/?directConnection=true&serverSelectionTimeoutMS=500&timeoutMS=500";

    private final List<Site> sites = new ArrayList<>();

    /** A site for each strategy: its threads let visitors in as long as it is open. */
    private static final class Site {
        final Strategy strategy;
        final MongoClient client;
        final Queue<Visited> visited = new ConcurrentLinkedQueue<>();
        final List<Thread> threads = new ArrayList<>();
        volatile boolean isClosed;

        private record Visited(Document day, boolean isDone, Duration took) {}

        Site(Strategy strategy, String uri) {
            this.strategy = strategy;
            this.client = MongoClients.create(uri + strategy.options());
            for (int i = 0; i < THREADS_OF_STRATEGY; i++) {
                int thread = i;
                threads.add(Thread.ofVirtual().start(() -> letIn(thread)));
            }
        }

        private void letIn(int thread) {
            for (int i = 0; !isClosed; i++) {
                var day = new Document("_id", thread + "-" + i);
                long began = System.nanoTime();
                boolean isDone = visit(day);
                visited.add(new Visited(day, isDone, Duration.ofNanos(System.nanoTime() - began)));
            }
        }

        private boolean visit(Document day) {
            try {
                strategy.work().run(client, days(), day);
                return true;
            } catch (MongoException e) {
                return false;
            }
        }

        private MongoCollection<Document> days() {
            return client.getDatabase(DATABASE).getCollection(strategy.name());
        }

        Visits visits() {
            Strategies.cleanUp(days());
            var counted = new ArrayList<Visit>();
            for (var each : visited) {
                var day = days().find(each.day).first();
                counted.add(new Visit(each.isDone, each.took, day == null ? 0 : day.getInteger("counter", 0)));
            }
            return new Visits(strategy, counted);
        }
    }

    private KilledPrimaries() {}

    static List<Visits> measure(int kills) throws IOException, InterruptedException {
        var folder = Files.createTempDirectory("semel-lab-");
        try (var set = new LocalSet(Cluster.freeAddresses(MEMBERS), folder)) {
            for (int i = 0; i < MEMBERS; i++) {
                set.start(i);
            }
            return new KilledPrimaries().on(set, kills);
        } finally {
            delete(folder);
        }
    }

    private List<Visits> on(LocalSet set, int kills) throws IOException, InterruptedException {
        try {
            awaitMembers(set);
            Strategies.all().forEach(each -> sites.add(new Site(each, set.connectionString())));
            for (int i = 0; i < kills; i++) {
                awaitVisits();
                int primary = primary(set);
                set.kill(primary);
                awaitVisits();
                set.start(primary);
                awaitMembers(set);
            }
            for (var each : sites) {
                each.isClosed = true;
            }
            for (var each : sites) {
                for (var thread : each.threads) {
                    thread.join();
                }
            }
            return sites.stream().map(Site::visits).toList();
        } finally {
            sites.forEach(each -> each.isClosed = true);
            sites.forEach(each -> each.client.close());
        }
    }

    /** Until each strategy has had some more visits. */
    private void awaitVisits() throws InterruptedException {
        var wanted =
                sites.stream().map(each -> each.visited.size() + VISITS_BETWEEN).toList();
        await("visits", () -> {
            for (int i = 0; i < sites.size(); i++) {
                if (sites.get(i).visited.size() < wanted.get(i)) {
                    return false;
                }
            }
            return true;
        });
    }

    /** Until each member follows a primary, or is it. */
    private static void awaitMembers(LocalSet set) throws InterruptedException {
        for (var address : set.addresses()) {
            await("the member " + address, () -> hello(address).containsKey("primary"));
        }
    }

    private static int primary(LocalSet set) throws InterruptedException {
        var found = new int[1];
        await("a primary", () -> {
            for (int i = 0; i < MEMBERS; i++) {
                if (hello(set.addresses().get(i)).getBoolean("isWritablePrimary", false)) {
                    found[0] = i;
                    return true;
                }
            }
            return false;
        });
        return found[0];
    }

    /** Empty if there is no answer. */
    private static Document hello(String address) {
        try (var client = MongoClients.create("mongodb://" + address + ONE_MEMBER)) {
            return client.getDatabase("admin").runCommand(new Document("hello", 1));
        } catch (MongoException e) {
            return new Document();
        }
    }

    @FunctionalInterface
    private interface Condition {
        boolean holds();
    }

    private static void await(String what, Condition condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.holds()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("waited a minute for " + what);
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (var each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
