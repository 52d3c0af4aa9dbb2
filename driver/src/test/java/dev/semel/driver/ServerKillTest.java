package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import dev.semel.driver.event.CommandListener;
import dev.semel.driver.event.CommandStartedEvent;
import dev.semel.driver.event.ConnectionPoolEvent;
import dev.semel.driver.setting.ConnectionString;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bson.BsonValue;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application at work while its server is killed again and again. */
class ServerKillTest {
    private static final int THREADS = 1_000;
    private static final int EACH = 3;
    private static final int KILLS = 2;
    private static final int CONNECTIONS_MAX = 50;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final AtomicInteger created = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final AtomicInteger checkedOut = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final Set<BsonValue> sessions = ConcurrentHashMap.newKeySet();

    @Test
    void thousandThreadsSurviveKillsAndEachIncrementHappensOnce(@TempDir Path folder) throws Exception {
        var failures = new ConcurrentLinkedQueue<Throwable>();
        try (var server = new KillableServer(folder)) {
            MongoClient client = open(server.uri());
            var collection = client.getDatabase("db").getCollection("kills");
            collection.insertMany(IntStream.range(0, THREADS)
                    .mapToObj(each -> new Document("_id", each).append("n", 0))
                    .toList());
            sessions.clear();

            var threads = new ArrayList<Thread>();
            var finished = new CountDownLatch(THREADS);
            for (int i = 0; i < THREADS; i++) {
                int id = i;
                threads.add(Thread.ofVirtual().unstarted(() -> {
                    try {
                        for (int n = 0; n < EACH; n++) {
                            collection.updateOne(new Document("_id", id), new Document("$inc", new Document("n", 1)));
                            done.incrementAndGet();
                        }
                    } catch (RuntimeException | Error e) {
                        failures.add(e);
                    } finally {
                        finished.countDown();
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (int kill = 1; kill <= KILLS; kill++) {
                int enough = THREADS * EACH * kill / (KILLS + 1);
                await(() -> done.get() >= enough || !failures.isEmpty());
                server.killAndRestart();
            }
            assertThat(finished.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();

            assertThat(failures).isEmpty();
            assertThat(collection.countDocuments(new Document("n", EACH))).isEqualTo(THREADS);
            var statistics = client.retryStatistics();
            assertThat(statistics.rescuedOperations()).isPositive().isEqualTo(statistics.retriedOperations());
            assertThat(statistics.givenUpOperations()).isZero();

            assertThat(checkedOut).hasValue(0);
            assertThat(created.get() - closed.get()).isBetween(1, CONNECTIONS_MAX);
            assertThat(sessions)
                    .as("those in use at one time, and those thrown away because the network failed under them")
                    .hasSizeLessThanOrEqualTo((int) (CONNECTIONS_MAX + statistics.retries()));

            client.close();
            await(() -> created.get() == closed.get());
            await(() -> threadsOfTheDriver(folder).isEmpty());
        }
    }

    private MongoClient open(String uri) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri + "&timeoutMS=90000&maxPoolSize=" + CONNECTIONS_MAX))
                .applyToConnectionPoolSettings(pools -> pools.addConnectionPoolListener(event -> {
                    switch (event) {
                        case ConnectionPoolEvent.ConnectionCreated each -> created.incrementAndGet();
                        case ConnectionPoolEvent.ConnectionClosed each -> closed.incrementAndGet();
                        case ConnectionPoolEvent.CheckedOut each -> checkedOut.incrementAndGet();
                        case ConnectionPoolEvent.CheckedIn each -> checkedOut.decrementAndGet();
                        default -> {}
                    }
                }))
                .addCommandListener(new CommandListener() {
                    @Override
                    public void commandStarted(CommandStartedEvent event) {
                        sessions.add(event.command().get("lsid", event.command()));
                    }
                })
                .build());
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void await(Condition condition) throws Exception {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private static List<String> threadsOfTheDriver(Path folder) throws IOException {
        Path file = folder.resolve("threads.json");
        Files.deleteIfExists(file);
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpThreads(file.toString(), ThreadDumpFormat.JSON);
        return Files.readAllLines(file).stream()
                .filter(line -> line.contains("\"semel-pool-")
                        || line.contains("\"semel-monitor-")
                        || line.contains("\"semel-rtt-"))
                .toList();
    }
}
