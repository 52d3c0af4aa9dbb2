package dev.semel.replication.ratis;

import dev.semel.replication.Entry;
import dev.semel.replication.GroupId;
import dev.semel.replication.Member;
import dev.semel.replication.Membership;
import dev.semel.replication.Outcome;
import dev.semel.replication.Position;
import dev.semel.replication.ReplicatedState;
import dev.semel.replication.ReplicationEngine;
import dev.semel.replication.ReplicationNode;
import dev.semel.replication.ReplicationOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A program: commits per second of three members in this JVM, on loopback, with every entry on disk. Callers wait for each
 * of their commits; a packer puts those that wait into one entry, as the sequencer of a database does.
 */
public final class LogBenchmark {
    private static final int COMMIT_BYTES = 300;
    private static final int COMMITS_PER_ENTRY_MAX = 512;
    private static final int ENTRIES_IN_FLIGHT_MAX = 4;
    private static final int WARM_UP_SECONDS = 5;
    private static final int MEASURE_SECONDS = 10;

    private final Path folder;
    private final int groups;
    private final int callersPerGroup;

    private LogBenchmark(Path folder, int groups, int callersPerGroup) {
        this.folder = folder;
        this.groups = groups;
        this.callersPerGroup = callersPerGroup;
    }

    public static void main(String[] arguments) throws Exception {
        var folder = Path.of(arguments[0]);
        for (int[] shape : new int[][] {{1, 1}, {1, 64}, {4, 1}, {4, 16}}) {
            var own = Files.createTempDirectory(Files.createDirectories(folder), "log");
            System.out.println(new LogBenchmark(own, shape[0], shape[1]).run());
        }
    }

    private String run() throws Exception {
        var members = Stream.of("a", "b", "c")
                .map(name -> new Member(name, "127.0.0.1", LocalSet.freePort(), 0))
                .toList();
        var nodes = new ArrayList<ReplicationNode>();
        for (Member member : members) {
            nodes.add(RatisNode.start(
                    ReplicationOptions.of(member.name(), member.host(), member.port(), folder.resolve(member.name()))
                            .withElectionTimeout(Duration.ofSeconds(1))));
        }
        try {
            return measure(nodes, new Membership(members, List.of()));
        } finally {
            try (var threads = Executors.newCachedThreadPool()) {
                nodes.forEach(node -> threads.execute(node::close));
            }
        }
    }

    private String measure(List<ReplicationNode> nodes, Membership membership) throws Exception {
        var leaders = new ArrayList<ReplicationEngine>();
        for (int i = 0; i < groups; i++) {
            var group = new GroupId(new UUID(1, i));
            var engines = new ArrayList<ReplicationEngine>();
            for (ReplicationNode node : nodes) {
                engines.add(node.open(group, membership, new Nothing(), failure -> failure.printStackTrace()));
            }
            LocalSet.await(
                    "a leader",
                    () -> engines.stream().anyMatch(each -> each.role().isWritable()));
            leaders.add(engines.stream()
                    .filter(each -> each.role().isWritable())
                    .findFirst()
                    .orElseThrow());
        }
        var count = new LongAdder();
        var latencies = new LongAdder();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (ReplicationEngine leader : leaders) {
                var packer = new Packer(leader);
                threads.execute(() -> untilInterrupted(packer::pack));
                threads.execute(() -> untilInterrupted(packer::acknowledge));
                for (int i = 0; i < callersPerGroup; i++) {
                    threads.execute(() -> untilInterrupted(() -> call(packer, count, latencies)));
                }
            }
            TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
            count.reset();
            latencies.reset();
            TimeUnit.SECONDS.sleep(MEASURE_SECONDS);
            long commits = count.sum();
            var text = "%d group(s), %d caller(s) each: %,d commits/s in all, mean latency %.2f ms"
                    .formatted(
                            groups,
                            callersPerGroup,
                            commits / MEASURE_SECONDS,
                            latencies.sum() / 1e6 / Math.max(1, commits));
            threads.shutdownNow();
            return text;
        }
    }

    private interface Step {
        void run() throws InterruptedException, ExecutionException;
    }

    private static void untilInterrupted(Step step) {
        try {
            while (true) {
                step.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void call(Packer packer, LongAdder count, LongAdder latencies)
            throws InterruptedException, ExecutionException {
        long begin = System.nanoTime();
        var done = new CompletableFuture<Outcome>();
        packer.waiting.put(done);
        done.get();
        latencies.add(System.nanoTime() - begin);
        count.increment();
    }

    /** Of one group. */
    private static final class Packer {
        private record InFlight(Future<Outcome> outcome, List<CompletableFuture<Outcome>> commits) {}

        private final ReplicationEngine leader;
        private final ArrayBlockingQueue<CompletableFuture<Outcome>> waiting = new ArrayBlockingQueue<>(1000);
        private final ArrayBlockingQueue<InFlight> inFlight = new ArrayBlockingQueue<>(ENTRIES_IN_FLIGHT_MAX);

        Packer(ReplicationEngine leader) {
            this.leader = leader;
        }

        void pack() throws InterruptedException {
            var commits = new ArrayList<CompletableFuture<Outcome>>();
            commits.add(waiting.take());
            waiting.drainTo(commits, COMMITS_PER_ENTRY_MAX - 1);
            var entry = new byte[COMMIT_BYTES * commits.size()];
            inFlight.put(new InFlight(leader.propose(entry, leader.role().writableTerm()), List.copyOf(commits)));
        }

        void acknowledge() throws InterruptedException, ExecutionException {
            var next = inFlight.take();
            var outcome = next.outcome().get();
            if (!(outcome instanceof Outcome.Applied)) {
                throw new IllegalStateException("The leader was lost: " + outcome);
            }
            next.commits().forEach(commit -> commit.complete(outcome));
        }
    }

    /** Keeps only the position. */
    private static final class Nothing implements ReplicatedState {
        private Position applied = Position.NONE;

        @Override
        public Position applied() {
            return applied;
        }

        @Override
        public void apply(List<Entry> entries) {
            applied = entries.getLast().position();
        }

        @Override
        public void writable(long term) {}

        @Override
        public void notWritable(String reason) {}

        @Override
        public void leaderChanged(@Nullable String leader, long term) {}

        @Override
        public void membersChanged(Membership membership) {}

        @Override
        public void saveCheckpoint(Path folder) throws IOException {
            Files.writeString(folder.resolve("position"), applied.toString());
        }

        @Override
        public boolean loadCheckpoint(Path folder) {
            return true;
        }

        @Override
        public void checkpointArriving(long bytes) {}
    }
}
