package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.replication.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a caller was told stays true when the leader is lost. */
class LeaderLossTest {
    private static final int CALLERS = 8;

    @TempDir
    Path folder;

    @Test
    void nothingAcknowledgedIsLostAndNothingIsDoubledWhenTheLeaderIsKilled() throws Exception {
        try (var set = LocalSet.ofThree(folder);
                var callers = new Callers(set)) {
            var leader = set.leader();
            callers.awaitAcknowledged(200);
            set.kill(leader);
            set.leader(leader);
            callers.awaitAcknowledged(200);
            callers.stop();
            set.write("end");
            callers.check(set.followers(leader));
        }
    }

    /** The others would wait for an hour. */
    @Test
    void leaderWhoseProcessEndsIsReplacedBeforeTheElectionTimeout() throws Exception {
        try (var set = LocalSet.empty(folder)) {
            Stream.of("a", "b", "c").forEach(set::add);
            set.startPatient("b", set.all(), Duration.ofHours(1));
            set.startPatient("c", set.all(), Duration.ofHours(1));
            set.start("a", set.all());
            // The first election is nobody's in particular.
            LocalSet.await(
                    "the leader whose followers are patient",
                    () -> set.leader().equals("a")
                            || LocalSet.get(set.engine("a").stand()) == null);
            var written = set.writeMany("before", 3);
            set.followers("a").forEach(name -> set.awaitEntries(name, written));
            set.stop("a");
            assertThat(set.leader()).isEqualTo("b");
            set.write("after");
        }
    }

    @Test
    void nothingAcknowledgedIsLostWhenTheLeaderIsCutOffAndReturns() throws Exception {
        try (var set = LocalSet.ofThree(folder);
                var callers = new Callers(set)) {
            var leader = set.leader();
            callers.awaitAcknowledged(200);
            set.network.cut(leader);
            set.leader(leader);
            callers.awaitAcknowledged(200);
            set.network.heal();
            callers.stop();
            set.write("end");
            callers.check(set.names());
            assertThat(set.state(leader).events()).contains("not writable");
        }
    }

    @Test
    void proposalOfALeaderThatIsCutOffHasAnUnknownOutcome() throws Exception {
        try (var set = LocalSet.ofThree(folder)) {
            var leader = set.leader();
            set.write("before");
            set.network.cut(leader);
            var lost = set.propose(leader, "lost");
            assertThat(LocalSet.get(lost)).isInstanceOf(Outcome.Unknown.class);
            var second = set.leader(leader);
            assertThat(LocalSet.get(set.propose(second, "after"))).isInstanceOf(Outcome.Applied.class);
            set.network.heal();
            set.names().forEach(name -> set.awaitEntries(name, List.of("before", "after")));
            assertThat(set.engine(leader).role().isWritable()).isFalse();
        }
    }

    @Test
    void barrierOfALeaderThatIsCutOffIsNeverConfirmed() throws Exception {
        try (var set = LocalSet.ofThree(folder)) {
            var leader = set.leader();
            set.write("before");
            set.network.cut(leader);
            checkBarriers(set, leader);
        }
    }

    @Test
    void barrierOfALeaderThatWasStoppedIsNeverConfirmed() throws Exception {
        try (var set = LocalSet.ofThree(folder)) {
            var leader = set.leader();
            set.write("before");
            assertThat(LocalSet.get(set.engine(leader).barrier())).isInstanceOf(Outcome.Applied.class);
            set.network.hold(leader);
            checkBarriers(set, leader);
        }
    }

    /** From before another leader writes until after the first one is back, it may not confirm that it is the newest. */
    private static void checkBarriers(LocalSet set, String old) {
        var barriers = new ArrayList<Future<Outcome>>();
        barriers.add(set.engine(old).barrier());
        var second = set.leader(old);
        barriers.add(set.engine(old).barrier());
        assertThat(LocalSet.get(set.propose(second, "after"))).isInstanceOf(Outcome.Applied.class);
        barriers.add(set.engine(old).barrier());
        set.network.heal();
        LocalSet.await("the old leader to have the new entry", () -> {
            // It is stale until then.
            boolean isStale = !set.state(old).entries().contains("after");
            if (isStale) {
                barriers.add(set.engine(old).barrier());
            }
            return !isStale;
        });
        assertThat(barriers).hasSizeGreaterThan(3);
        assertThat(barriers.stream().map(LocalSet::get)).noneMatch(Outcome.Applied.class::isInstance);
    }

    /** Each proposes one entry after another to whoever leads, and notes what it was told. */
    private static final class Callers implements AutoCloseable {
        private final LocalSet set;
        private final ExecutorService threads = Executors.newCachedThreadPool();
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final List<Future<?>> calls = new ArrayList<>();
        private final AtomicInteger count = new AtomicInteger();
        private final ConcurrentHashMap<String, Outcome> outcomes = new ConcurrentHashMap<>();
        private final AtomicInteger acknowledged = new AtomicInteger();

        Callers(LocalSet set) {
            this.set = set;
            for (int i = 0; i < CALLERS; i++) {
                calls.add(threads.submit(this::call));
            }
        }

        private void call() {
            while (!stopped.get()) {
                var entry = "entry " + count.incrementAndGet();
                var outcome = LocalSet.get(set.propose(set.leader(), entry));
                outcomes.put(entry, outcome);
                if (outcome instanceof Outcome.Applied) {
                    acknowledged.incrementAndGet();
                }
            }
        }

        void awaitAcknowledged(int more) {
            int enough = acknowledged.get() + more;
            LocalSet.await(enough + " acknowledged", () -> acknowledged.get() >= enough);
        }

        void stop() {
            stopped.set(true);
            calls.forEach(LocalSet::get);
        }

        void check(List<String> members) {
            var reference = set.state(members.getFirst());
            LocalSet.await("the end", () -> reference.entries().contains("end"));
            var entries = reference.entries();
            members.forEach(name -> set.awaitEntries(name, entries));
            var found = new HashSet<>(entries);
            assertThat(entries).doesNotHaveDuplicates();
            outcomes.forEach((entry, outcome) -> {
                switch (outcome) {
                    case Outcome.Applied applied -> assertThat(found).contains(entry);
                    case Outcome.NotWritable refused -> assertThat(found).doesNotContain(entry);
                    case Outcome.Busy busy -> assertThat(found).doesNotContain(entry);
                    case Outcome.Unknown unknown -> {}
                }
            });
        }

        @Override
        public void close() {
            stopped.set(true);
            threads.shutdown();
        }
    }
}
