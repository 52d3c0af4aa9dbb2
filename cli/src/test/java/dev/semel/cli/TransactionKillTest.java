package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.semel.golden.Seeds;
import dev.semel.golden.history.DriverClient;
import dev.semel.golden.history.DriverClient.Flavour;
import dev.semel.golden.history.HistoryCheck;
import dev.semel.golden.history.Workload;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The server is killed again and again while clients run transactions and go on when it is back. A commit whose answer was
 * lost is asked for again, and what the server then says must be true; no transaction is there by half.
 */
class TransactionKillTest {
    private static final int ROUNDS = Integer.getInteger("rounds", 1);
    private static final int CLIENTS = 6;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(Flavour.class)
    void transactionsSurviveKillAsAWholeOrNotAtAll(Flavour flavour) {
        Seeds.check(1, random -> killAgainAndAgain(flavour, random));
    }

    private void killAgainAndAgain(Flavour flavour, RandomGenerator random) throws Exception {
        var workload = new Workload();
        var server = start(0);
        var uri = server.awaitReady();
        int port = port(uri);
        var enough = new AtomicBoolean();
        try (var client = client(uri);
                var own = new DriverClient(client, "db", flavour);
                var threads = Executors.newSingleThreadExecutor()) {
            DriverClient.prepare(client, "db");
            workload.prepare(own);
            var transactions = new Countdown(random.nextInt(100, 400));
            var running = threads.submit(() -> {
                workload.run(
                        CLIENTS,
                        number -> new DriverClient(client, "db", flavour),
                        () -> transactions.down() || enough.get(),
                        new SplittableRandom(random.nextLong()));
                return null;
            });
            for (int round = 0; round < ROUNDS; round++) {
                transactions.await();
                server.kill();
                server.close();
                transactions.again(random.nextInt(100, 400));
                server = start(port);
                server.awaitReady();
            }
            transactions.await();
            enough.set(true);
            running.get(60, TimeUnit.SECONDS);
            var history = workload.history(own);
            assertThat(
                            flavour == Flavour.SERIALIZABLE
                                    ? HistoryCheck.serializable(history)
                                    : HistoryCheck.snapshotIsolated(history))
                    .isEmpty();
            assertThat(workload.wrongSums(own)).isEmpty();
        } finally {
            server.close();
        }
    }

    private static int port(String uri) {
        var host = new ConnectionString(uri).getHosts().getFirst();
        return Integer.parseInt(host.substring(host.lastIndexOf(':') + 1));
    }

    private ServerProcess start(int port) throws Exception {
        return ServerProcess.start(
                folder, "--dbpath", folder.resolve("data").toString(), "--port", Integer.toString(port));
    }

    private static MongoClient client(String uri) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .applyToServerSettings(settings -> settings.heartbeatFrequency(500, TimeUnit.MILLISECONDS))
                .retryWrites(false)
                .retryReads(false)
                .build());
    }

    /** So many transactions until the next kill; they go on after it. */
    private static final class Countdown {
        private volatile CountDownLatch latch;

        Countdown(int count) {
            latch = new CountDownLatch(count);
        }

        /** Always false: it is never enough. */
        boolean down() {
            latch.countDown();
            return false;
        }

        void await() throws InterruptedException {
            assertThat(latch.await(60, TimeUnit.SECONDS))
                    .as("transactions go on")
                    .isTrue();
        }

        void again(int count) {
            latch = new CountDownLatch(count);
        }
    }
}
