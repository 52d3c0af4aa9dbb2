package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * At most once under fire: clients send each write until it is answered, on whatever connection, twice at the same time,
 * again when it has been answered, and late, when the next one has been; connections are cut and the server is killed.
 * In the end every counter is the number of the distinct writes.
 */
class AtMostOnceTest {
    private static final int CLIENTS = 6;
    private static final int KILLS = Integer.getInteger("rounds", 2);
    private static final int WRITES_BETWEEN_KILLS = 600;

    @TempDir
    private Path folder;

    @Test
    void everyCounterIsTheNumberOfDistinctWrites() {
        Seeds.check(1, this::underFire);
    }

    private void underFire(RandomGenerator random) throws Exception {
        var writers = new ArrayList<Writer>();
        for (int i = 0; i < CLIENTS; i++) {
            writers.add(new Writer(i, new SplittableRandom(random.nextLong())));
        }
        for (int round = 0; round <= KILLS; round++) {
            try (var server = ServerProcess.start(
                            folder, "--dbpath", folder.resolve("data").toString(), "--port", "0");
                    var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var uri = server.awaitReady();
                boolean isLast = round == KILLS;
                var answered = new AtomicInteger();
                var running = new ArrayList<Future<?>>();
                for (var writer : writers) {
                    running.add(threads.submit(() -> writer.run(uri, threads, () -> {
                        int n = answered.incrementAndGet();
                        if (!isLast && n == WRITES_BETWEEN_KILLS) {
                            server.kill();
                        }
                        return isLast && n >= WRITES_BETWEEN_KILLS;
                    })));
                }
                for (var each : running) {
                    each.get();
                }
                if (isLast) {
                    check(uri, writers);
                }
            }
        }
    }

    private static void check(String uri, List<Writer> writers) throws IOException {
        try (var client = new RawClient(uri)) {
            var found = new HashMap<Value, Value>();
            var find =
                    new BsonWriter().put("find", "c").put("batchSize", 100_000).put("$db", "test");
            if (client.run(find.finish()).get("cursor") instanceof Value.Doc(RawDocument cursor)
                    && cursor.get("firstBatch") instanceof Value.Array(RawDocument batch)) {
                for (var each : batch) {
                    if (each.value() instanceof Value.Doc(RawDocument document)) {
                        found.put(
                                Objects.requireNonNull(document.get("_id")), Objects.requireNonNull(document.get("n")));
                    }
                }
            }
            Map<Value, Value> expected = new HashMap<>();
            writers.forEach(writer -> writer.expected.forEach((id, n) -> expected.put(Value.of(id), Value.of(n))));
            assertThat(found).isEqualTo(expected);
        }
    }

    /** Told of each write that is answered; says whether that is enough. */
    private interface Progress {
        boolean answered() throws Exception;
    }

    /** One application: a session, numbers, and what must be there in the end. */
    private static final class Writer {
        private final int number;
        private final RandomGenerator random;
        private final Map<String, Integer> expected = new HashMap<>();
        private long txnNumber;

        /** Not answered yet, perhaps since before the server was killed. */
        private RawDocument pending = RawDocument.EMPTY;

        private RawDocument last = RawDocument.EMPTY;

        Writer(int number, RandomGenerator random) {
            this.number = number;
            this.random = random;
        }

        Void run(String uri, ExecutorService threads, Progress progress) throws Exception {
            var connections = new ArrayList<RawClient>();
            try {
                boolean enough = false;
                while (!enough) {
                    if (pending.isEmpty()) {
                        pending = next();
                    }
                    var reply = deliver(uri, threads, connections);
                    check(reply, pending);
                    last = pending;
                    pending = RawDocument.EMPTY;
                    enough = progress.answered();
                }
            } catch (IOException killed) {
                // The next server gets what has not been answered.
            } finally {
                for (var each : connections) {
                    each.close();
                }
            }
            return null;
        }

        // ---- ways to send

        private RawDocument deliver(String uri, ExecutorService threads, List<RawClient> connections) throws Exception {
            switch (random.nextInt(12)) {
                case 0 -> {
                    try (var cut = new RawClient(uri)) {
                        cut.send(pending);
                    }
                }
                case 1 -> late(uri);
                case 2, 3 -> atTheSameTime(uri, threads);
                default -> {}
            }
            if (connections.size() < 3) {
                connections.add(new RawClient(uri));
            }
            var reply = connections.get(random.nextInt(connections.size())).run(pending);
            if (random.nextInt(8) == 0) {
                var again = connections.get(random.nextInt(connections.size())).run(pending);
                assertThat(again.has("retriedStmtIds") || again.has("retriedStmtId"))
                        .as("%s", again)
                        .isTrue();
                assertThat(result(again)).isEqualTo(result(reply));
            }
            return reply;
        }

        /** The write before this one, from a connection on which it has been waiting: refused or answered, never run. */
        private void late(String uri) throws IOException {
            if (last.isEmpty()) {
                return;
            }
            try (var client = new RawClient(uri)) {
                client.run(last);
                client.run(pending);
                assertThat(client.run(last).get("code")).isEqualTo(Value.of(225));
            }
        }

        private void atTheSameTime(String uri, ExecutorService threads) throws Exception {
            var replies = new ArrayList<Future<RawDocument>>();
            for (int i = 0; i < 3; i++) {
                replies.add(threads.submit(() -> {
                    try (var client = new RawClient(uri)) {
                        return result(client.run(pending));
                    }
                }));
            }
            try {
                var first = replies.getFirst().get();
                assertThat(replies.get(1).get()).isEqualTo(first);
                assertThat(replies.get(2).get()).isEqualTo(first);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof IOException killed) {
                    throw killed;
                }
                throw e;
            }
        }

        /** A reply without what differs from one time to the next. */
        private static RawDocument result(RawDocument reply) {
            var out = new BsonWriter();
            for (var each : reply) {
                if (!each.name().startsWith("retriedStmtId")
                        && !each.name().equals("operationTime")
                        && !each.name().equals("$clusterTime")) {
                    out.put(each.name(), each.value());
                }
            }
            return out.finish();
        }

        private static void check(RawDocument reply, RawDocument command) {
            assertThat(reply.get("ok")).as("%s to %s", reply, command).isEqualTo(Value.of(1.0));
            assertThat(reply.has("writeErrors")).as("%s", reply).isFalse();
        }

        // ---- writes

        /** Counted as done when it is made: it is sent until it is answered. */
        private RawDocument next() {
            txnNumber += 1 + random.nextInt(3);
            var counter = "counter-" + number;
            var other = "other-" + random.nextInt(2) + "-" + number;
            var command = new BsonWriter();
            var database = "test";
            switch (random.nextInt(5)) {
                case 0 -> updates(command, List.of(counter, other, counter));
                case 1 -> findAndModify(command, counter);
                case 2 -> {
                    command.put("insert", "c").startArray("documents").startDocument();
                    document(command, "inserted-" + number + "-" + txnNumber)
                            .end()
                            .end();
                }
                case 3 -> {
                    bulkWrite(command, List.of(counter, other));
                    database = "admin";
                }
                default -> updates(command, List.of(counter));
            }
            var session =
                    ByteBuffer.allocate(16).putLong(0x4000).putLong(number).array();
            return command.startDocument("lsid")
                    .put("id", new Value.Binary((byte) 4, session))
                    .end()
                    .put("txnNumber", txnNumber)
                    .put("$db", database)
                    .finish();
        }

        private void updates(BsonWriter command, List<String> counters) {
            command.put("update", "c").startArray("updates");
            for (var each : counters) {
                command.startDocument();
                increment(command, "q", "u", each).end();
            }
            command.end().put("ordered", random.nextBoolean());
        }

        private void findAndModify(BsonWriter command, String counter) {
            command.put("findAndModify", "c").put("new", random.nextBoolean());
            increment(command, "query", "update", counter);
        }

        private void bulkWrite(BsonWriter command, List<String> counters) {
            command.put("bulkWrite", 1).startArray("nsInfo").startDocument();
            command.put("ns", "test.c").end().end().startArray("ops");
            for (var each : counters) {
                command.startDocument().put("update", 0);
                increment(command, "filter", "updateMods", each).end();
            }
            command.startDocument().put("insert", 0).startDocument("document");
            document(command, "bulk-" + number + "-" + txnNumber)
                    .end()
                    .end()
                    .end()
                    .put("ordered", random.nextBoolean());
        }

        private BsonWriter document(BsonWriter out, String id) {
            expected.put(id, 1);
            return out.put("_id", id).put("n", 1);
        }

        private BsonWriter increment(BsonWriter out, String filter, String change, String counter) {
            expected.merge(counter, 1, Integer::sum);
            return out.startDocument(filter)
                    .put("_id", counter)
                    .end()
                    .startDocument(change)
                    .startDocument("$inc")
                    .put("n", 1)
                    .end()
                    .end()
                    .put("upsert", true);
        }
    }
}
