package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.golden.Seeds;
import dev.semel.server.RandomClient.Sent;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A node that has applied the commit records of another one is that node's equal: on disk, in memory, for its clients.
 * {@code -Druns=100 -Dsteps=1000} makes it long.
 */
class CommitRecordsTest {
    private static final int RUNS = Integer.getInteger("runs", 1);
    private static final int STEPS = Integer.getInteger("steps", 400);
    private static final int CLIENTS = 3;
    private static final int TOO_OLD = 225;
    private static final int SEEDS_PER_FAULT = 6;

    /** The token of an event that is refused because of what may have been removed. */
    private static final RawDocument BEFORE_THE_LOG = new BsonWriter()
            .put("_data", "820000000000000001000000000000000000")
            .finish();

    private static final int STEPS_PER_FAULT = 120;

    /** One client waits for another's locks in vain: they take turns on one thread. */
    private static final Map<String, String> PARAMETERS =
            Map.of("lockTimeout", "1", "maxTransactionLockRequestTimeoutMillis", "1", "oplogSizeMB", "100");

    private final List<RandomClient> clients = new ArrayList<>();

    @TempDir
    private Path folder;

    private static Server memory(RecordingNode node) throws IOException {
        return start(ServerOptions.memory(), new Foundation(null, node));
    }

    private static Server memory(FollowingNode node) throws IOException {
        return start(ServerOptions.memory(), new Foundation(null, node));
    }

    private static Server start(ServerOptions options, Foundation foundation) throws IOException {
        return Server.start(options.inProcess().parameters(PARAMETERS), foundation);
    }

    // ---- work, and its comparison

    /** Looks from time to time, and in the end, when no transaction is open. */
    private void work(Server server, int steps, Random random, Look look) {
        join(server, random);
        try {
            for (int step = 0; step < steps; step++) {
                clients.get(random.nextInt(CLIENTS)).step();
                if (random.nextInt(steps / 2) == 0) {
                    look.at(true);
                }
            }
            clients.forEach(each -> each.end(true));
            look.at(false);
        } finally {
            leave();
        }
    }

    private interface Look {
        void at(boolean hasOpenTransactions);
    }

    private void join(Server server, Random random) {
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new RandomClient(server, new Random(random.nextLong())));
        }
    }

    private void leave() {
        clients.forEach(RandomClient::close);
        clients.clear();
    }

    private static void feed(List<byte[]> records, FollowingNode to, Random random) {
        int at = (int) to.applied().sequence();
        while (at < records.size()) {
            int next = Math.min(records.size(), at + 1 + random.nextInt(5));
            to.feed(records.subList(at, next));
            at = next;
        }
    }

    /** What differs when the second has applied all that the first one has done. */
    private List<String> differences(
            Server a, RecordingNode recording, Server b, FollowingNode following, boolean hasOpen, Random random) {
        while (true) {
            List<byte[]> records = recording.records();
            feed(records, following, random);
            NodePicture primary = NodePicture.of(a, recording.transactions());
            List<String> differences = new ArrayList<>(
                    NodePicture.of(b, following.transactions()).differencesFromPrimary(primary, hasOpen));
            clients.forEach(each -> {
                long here = following.newestNumber(each.session());
                long there = recording.newestNumber(each.session());
                if (here != there) {
                    differences.add("number %d here, %d there".formatted(here, there));
                }
            });
            // Work in the background may have gone on.
            if (recording.records().size() == records.size()) {
                return differences.stream().limit(5).toList();
            }
        }
    }

    @Test
    void whoAppliesTheRecordsIsEqual() {
        Seeds.check(RUNS, random -> {
            RecordingNode recording = new RecordingNode();
            FollowingNode following = new FollowingNode();
            try (Server a = memory(recording);
                    Server b = memory(following)) {
                work(
                        a,
                        STEPS,
                        random,
                        hasOpen -> assertThat(differences(a, recording, b, following, hasOpen, random))
                                .isEmpty());
                assertThat(following.attempts()).isZero();
                for (int i = 0; i < 5; i++) {
                    long start =
                            recording.timeOf(random.nextInt(recording.records().size()));
                    assertThat(ChangeEvents.after(b, start)).isEqualTo(ChangeEvents.after(a, start));
                }
            }
        });
    }

    /** Their commits meet, so the primary applies several records at once, and others there than here. */
    @Test
    void whatManyClientsDoAtOnceIsEqual() {
        Seeds.check(RUNS, random -> {
            RecordingNode recording = new RecordingNode();
            FollowingNode following = new FollowingNode();
            try (Server a = memory(recording);
                    Server b = memory(following)) {
                join(a, random);
                try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                    List<Future<?>> running = new ArrayList<>();
                    for (RandomClient each : clients) {
                        running.add(threads.submit(() -> {
                            for (int step = 0; step < STEPS / CLIENTS; step++) {
                                each.step();
                            }
                            each.end(true);
                        }));
                    }
                    for (Future<?> each : running) {
                        while (!each.isDone()) {
                            feed(recording.records(), following, random);
                        }
                        each.get();
                    }
                }
                assertThat(differences(a, recording, b, following, false, random))
                        .isEmpty();
                assertThat(ChangeEvents.after(b, recording.timeOf(1)))
                        .isEqualTo(ChangeEvents.after(a, recording.timeOf(1)));
            } finally {
                leave();
            }
        });
    }

    // ---- the end of a node

    /** Wherever it ends, what is in its directory is what its records say up to there, and it goes on as a follower. */
    @Test
    void aNodeThatStartsAgainIsEqual() {
        Seeds.check(RUNS, random -> {
            Path directory = folder.resolve("a" + random.nextLong());
            Path copy = folder.resolve("copy" + random.nextLong());
            RecordingNode recording = new RecordingNode();
            try (Server a = start(ServerOptions.directory(directory), new Foundation(null, recording))) {
                boolean[] isCopied = {false};
                work(a, STEPS, random, hasOpen -> {
                    if (!isCopied[0]) {
                        recording.transactions().store().checkpoint(copy);
                        isCopied[0] = true;
                    }
                });
            }
            requireEqualAtItsEnd(copy, recording.records(), random);
            requireEqualAtItsEnd(directory, recording.records(), random);
        });
    }

    /** The engine has the last record, memory had not been told, and nobody was answered. */
    @Test
    void aPrimaryThatEndsBetweenEngineAndMemoryIsEqual() {
        Seeds.check(RUNS, random -> {
            Path directory = folder.resolve("a" + random.nextLong());
            RecordingNode recording = new RecordingNode(20 + random.nextInt(80));
            List<Throwable> fatal = new ArrayList<>();
            ServerOptions options = ServerOptions.directory(directory).onFatal(fatal::add);
            Server a = start(options, new Foundation(null, recording));
            join(a, random);
            try {
                while (fatal.isEmpty()) {
                    clients.get(random.nextInt(CLIENTS)).step();
                }
                leave();
            } catch (IllegalStateException | CommandException unanswered) {
                // Nothing can be written any more: neither what was under way, nor that a transaction has ended.
                assertThat(fatal).isNotEmpty();
                clients.clear();
            }
            a.close();
            assertThat(fatal.getFirst()).isInstanceOf(RecordingNode.PlannedFailure.class);
            requireEqualAtItsEnd(directory, recording.records(), random);
        });
    }

    @Test
    void aFollowerThatEndsBetweenEngineAndMemoryIsEqual() {
        Seeds.check(RUNS, random -> {
            Path directory = folder.resolve("b" + random.nextLong());
            RecordingNode recording = new RecordingNode();
            try (Server a = memory(recording)) {
                work(a, STEPS / 2, random, hasOpen -> {});
            }
            int end = 1 + random.nextInt(recording.records().size());
            FollowingNode failing = new FollowingNode(end);
            Server b = start(ServerOptions.directory(directory), new Foundation(null, failing));
            assertThatThrownBy(() -> feed(recording.records(), failing, random))
                    .isInstanceOf(RecordingNode.PlannedFailure.class);
            b.close();
            requireEqualAtItsEnd(directory, recording.records(), random);
        });
    }

    /** A directory is opened by a follower, compared with one that has run nothing, and both get the rest. */
    private static void requireEqualAtItsEnd(Path directory, List<byte[]> records, Random random) throws IOException {
        FollowingNode again = new FollowingNode();
        FollowingNode fresh = new FollowingNode();
        try (Server restarted = start(ServerOptions.directory(directory), new Foundation(null, again));
                Server memory = memory(fresh)) {
            int end = (int) again.applied().sequence();
            assertThat(end).isPositive();
            feed(records.subList(0, end), fresh, random);
            requireEqual(restarted, again, memory, fresh);
            again.feed(records);
            fresh.feed(records);
            requireEqual(restarted, again, memory, fresh);
        }
    }

    private static void requireEqual(Server a, FollowingNode one, Server b, FollowingNode other) {
        assertThat(NodePicture.of(a, one.transactions()).differences(NodePicture.of(b, other.transactions())).stream()
                        .limit(5))
                .isEmpty();
        assertThat(one.transactions().store().position())
                .isEqualTo(other.transactions().store().position());
    }

    // ---- the other one goes on

    @Test
    void whoTakesOverAnswersWhatTheOtherAnswered() {
        Seeds.check(RUNS, random -> {
            RecordingNode recording = new RecordingNode();
            FollowingNode following = new FollowingNode();
            List<Sent> kept = new ArrayList<>();
            List<RawDocument> lost = new ArrayList<>();
            try (Server a = memory(recording);
                    Server b = memory(following)) {
                join(a, random);
                for (int step = 0; step < STEPS / 2; step++) {
                    clients.get(random.nextInt(CLIENTS)).step();
                }
                clients.forEach(each -> {
                    kept.addAll(each.kept());
                    if (each.isInTokumx()) {
                        lost.add(each.nextNumbered());
                    }
                });
                feed(recording.records(), following, random);
                clients.forEach(each -> each.end(false));
                following.takeOver();
                try (LocalConnection here = b.connect();
                        LocalConnection there = a.connect()) {
                    for (RawDocument each : lost) {
                        assertThat(here.run(each).get("code")).isEqualTo(Value.of(251));
                    }
                    for (Sent each : kept) {
                        requireSameAnswer(each, here, there);
                    }
                }
                leave();
                requireItGoesOn(b, following, random);
            }
        });
    }

    /**
     * The other one refuses a number also if it has begun a higher one that left nothing: then the answer is what was
     * answered first.
     */
    private static void requireSameAnswer(Sent sent, LocalConnection here, LocalConnection there) {
        RawDocument answer = NodePicture.stripped(here.run(sent.command()));
        RawDocument expected = NodePicture.stripped(there.run(sent.command()));
        if (RandomClient.isOk(answer) && !RandomClient.isOk(expected)) {
            assertThat(expected.get("code")).isEqualTo(Value.of(TOO_OLD));
            answer = withoutRetryMark(answer);
            expected = withoutRetryMark(NodePicture.stripped(sent.reply()));
        }
        if (RandomClient.isOk(expected)) {
            assertThat(answer).as("%s", sent).isEqualTo(expected);
        } else {
            assertThat(answer.get("code")).as("%s", sent).isEqualTo(expected.get("code"));
        }
    }

    private static RawDocument withoutRetryMark(RawDocument reply) {
        BsonWriter out = new BsonWriter();
        for (var at = reply.cursor(); at.next(); ) {
            if (!at.name().startsWith("retriedStmtId")) {
                out.copy(at);
            }
        }
        return out.finish();
    }

    /** The picture validates every collection. */
    private void requireItGoesOn(Server server, FollowingNode node, Random random) {
        work(server, STEPS / 4, random, hasOpen -> NodePicture.of(server, node.transactions()));
    }

    // ---- the test itself

    /** Faults that must be noticed. That storage is gone only frees memory, so its loss is not among them. */
    enum Planted {
        SIZE(1),
        MULTIKEY(2),
        CATALOG(3),
        NUMBER_USED(6),
        TOKEN_BYTES(7),
        TRUNCATED(9),
        ROWS_REVERSED(0);

        private final int fact;

        Planted(int fact) {
            this.fact = fact;
        }

        byte[] in(byte[] record) {
            RecordBytes parts = RecordBytes.of(record);
            return fact == 0 ? parts.reversed() : parts.without(fact);
        }
    }

    @ParameterizedTest
    @EnumSource(Planted.class)
    void aPlantedFaultIsNoticed(Planted fault) throws IOException {
        for (int seed = 0; seed < SEEDS_PER_FAULT; seed++) {
            if (isNoticed(fault::in, new Random(seed))) {
                assertThat(isNoticed(UnaryOperator.identity(), new Random(seed)))
                        .isFalse();
                return;
            }
        }
        throw new AssertionError(fault + " is not noticed");
    }

    private boolean isNoticed(UnaryOperator<byte[]> fault, Random random) throws IOException {
        RecordingNode recording = new RecordingNode();
        FollowingNode following = new FollowingNode();
        boolean[] isNoticed = {false};
        try (Server a = memory(recording);
                Server b = memory(following)) {
            work(a, STEPS_PER_FAULT, random, hasOpen -> {
                List<byte[]> spoilt = recording.records().stream().map(fault).toList();
                try {
                    feed(spoilt, following, random);
                    isNoticed[0] |= !differences(a, recording, b, following, hasOpen, random)
                            .isEmpty();
                    isNoticed[0] |=
                            !ChangeEvents.after(b, BEFORE_THE_LOG).equals(ChangeEvents.after(a, BEFORE_THE_LOG));
                } catch (RuntimeException | AssertionError noticed) {
                    isNoticed[0] = true;
                }
            });
        }
        return isNoticed[0];
    }
}
