package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.semel.golden.Seeds;
import dev.semel.golden.history.DriverClient;
import dev.semel.golden.history.DriverClient.Flavour;
import dev.semel.golden.history.HistoryCheck;
import dev.semel.golden.history.Trace;
import dev.semel.golden.history.Trace.Outcome;
import dev.semel.golden.history.Workload;
import dev.semel.store.lock.Locks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many clients run transactions that meet, and what they have seen is searched for what their isolation level rules out.
 * {@code -Dtransactions=100000} makes it long.
 */
class RandomTransactionsTest {
    private static final int CLIENTS = 8;
    private static final int TRANSACTIONS = Integer.getInteger("transactions", 1_500);

    /** What came of a run. */
    private record Outcomes(List<String> anomalies, long committed, long aborted) {}

    @ParameterizedTest
    @EnumSource(Flavour.class)
    void transactionsAreIsolated(Flavour flavour) {
        Seeds.check(1, random -> {
            Outcomes outcomes = run(flavour, null, random);
            assertThat(outcomes.anomalies()).isEmpty();
            assertThat(outcomes.committed()).isGreaterThan(TRANSACTIONS / 10);
            assertThat(outcomes.aborted()).isPositive();
        });
    }

    @ParameterizedTest
    @EnumSource(Flavour.class)
    void withoutLocksTheyAreNot(Flavour flavour) {
        Seeds.check(1, random -> {
            Outcomes outcomes = run(flavour, new WeakLocks(), random);
            assertThat(outcomes.anomalies()).isNotEmpty();
        });
    }

    @Test
    void snapshotsAloneAreNotSerializable() {
        Seeds.check(1, random -> {
            Outcomes outcomes = run(Flavour.SESSION, null, random, HistoryCheck::serializable);
            assertThat(outcomes.anomalies()).isNotEmpty();
        });
    }

    private static Outcomes run(Flavour flavour, @Nullable Locks locks, RandomGenerator random) throws Exception {
        return run(
                flavour,
                locks,
                random,
                flavour == Flavour.SERIALIZABLE ? HistoryCheck::serializable : HistoryCheck::snapshotIsolated);
    }

    private static Outcomes run(
            Flavour flavour, @Nullable Locks locks, RandomGenerator random, Function<Trace.History, List<String>> check)
            throws Exception {
        ServerOptions options = ServerOptions.memory().parameters(Map.of("lockTimeout", "500"));
        try (Server server =
                        locks == null ? Server.start(options) : Server.start(options, new Foundation(locks, null));
                MongoClient client = MongoClients.create(server.connectionString());
                Workload.Client own = new DriverClient(client, "db", flavour)) {
            DriverClient.prepare(client, "db");
            Workload workload = new Workload();
            workload.prepare(own);
            AtomicInteger left = new AtomicInteger(TRANSACTIONS);
            workload.run(
                    CLIENTS,
                    number -> new DriverClient(client, "db", flavour),
                    () -> left.getAndDecrement() <= 0,
                    new SplittableRandom(random.nextLong()));
            Trace.History history = workload.history(own);
            List<String> anomalies = new ArrayList<>(check.apply(history));
            anomalies.addAll(workload.wrongSums(own));
            return new Outcomes(
                    anomalies,
                    history.traces().stream()
                            .filter(each -> each.outcome() == Outcome.COMMITTED)
                            .count(),
                    history.traces().stream()
                            .filter(each -> each.outcome() == Outcome.ABORTED)
                            .count());
        }
    }
}
