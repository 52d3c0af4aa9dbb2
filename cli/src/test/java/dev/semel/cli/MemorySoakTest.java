package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No client may make the server fail: hostile clients use a process with a small heap, at random, while others do
 * their ordinary work. These never fail; afterwards nothing of the hostile ones is left. {@code SOAK_SECONDS} makes it long.
 */
@Isolated("measures what a process needs while clients wait for it")
class MemorySoakTest {
    private static final int POLITE_THREADS = 2;
    private static final Duration SOAK =
            Duration.ofSeconds(Long.parseLong(System.getenv().getOrDefault("SOAK_SECONDS", "5")));

    /** Long enough for uses at their full size. */
    static final boolean IS_LONG = SOAK.compareTo(Duration.ofMinutes(1)) >= 0;

    /** One kind of hostile use after the other in the short run, so that a failure names its kind; several at once later. */
    private static final int HOSTILE_THREADS = IS_LONG ? 4 : 1;

    /** How often a polite client begins an operation in the long run, where half of that is the least it gets done. */
    private static final long POLITE_PERIOD_NANOS = 5_000_000;

    private static final Duration CALM_MAX = Duration.ofSeconds(60);

    /** What the virtual machine and the engine may have grown by on their own: pools, compiled code, caches. */
    private static final int HANDLES_SPARE = 40;

    /** The same of the heap, beside what the account says. */
    private static final long HEAP_SPARE = 24 << 20;

    @TempDir
    private Path folder;

    enum Mode {
        MEMORY,
        DURABLE
    }

    @Timeout(value = 1, unit = TimeUnit.DAYS)
    @ParameterizedTest
    @EnumSource
    void hostileClientsDoNotHarmOthers(Mode mode) {
        Seeds.check(1, random -> soak(mode, random));
    }

    private void soak(Mode mode, Random random) throws Exception {
        var where = mode == Mode.MEMORY
                ? List.of("--memory", "--port", "0")
                : List.of("--dbpath", folder.resolve("data").toString(), "--port", "0");
        try (var server = ServerProcess.start(folder, where.toArray(String[]::new))) {
            var uri = server.awaitReady();
            try {
                HostileUse.prepare(uri);
                work(uri, server.pid(), random);
            } catch (Exception | AssertionError e) {
                throw new AssertionError(e + "\n" + server.errors(), e);
            }
        }
    }

    private static void work(String uri, long pid, Random random) throws Exception {
        try (var observer = new RawClient(uri)) {
            var before = Held.by(observer, pid);
            long heapBefore = heapBesideData(observer, pid);
            long begin = System.nanoTime();
            var ends = new AtomicBoolean();
            var done = new AtomicLong();
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var polite = new ArrayList<Future<?>>();
                for (int i = 0; i < POLITE_THREADS; i++) {
                    int number = i;
                    polite.add(threads.submit(() -> workPolitely(uri, number, ends, done)));
                }
                var hostile = new ArrayList<Future<?>>();
                var first = new ArrayList<>(List.of(HostileUse.values()));
                Collections.shuffle(first, random);
                var once = new ConcurrentLinkedQueue<>(first);
                long until = System.nanoTime() + SOAK.toNanos();
                for (int i = 0; i < HOSTILE_THREADS; i++) {
                    var own = new SplittableRandom(random.nextLong());
                    hostile.add(threads.submit(() -> workHostilely(uri, once, own, until)));
                }
                try {
                    for (var each : hostile) {
                        each.get();
                    }
                } finally {
                    ends.set(true);
                }
                for (var each : polite) {
                    each.get();
                }
            }
            assertThat(done.get()).as("what the others got done").isPositive();
            if (IS_LONG) {
                long wanted = POLITE_THREADS * ((System.nanoTime() - begin) / POLITE_PERIOD_NANOS);
                System.out.printf("The others got %d of %d operations done.%n", done.get(), wanted);
                assertThat(done.get()).isGreaterThan(wanted / 2);
            }
            awaitCalm(observer, pid, before);
            assertThat(heapBesideData(observer, pid)).isLessThan(heapBefore + HEAP_SPARE);
        }
    }

    /** Ordinary work, of which every operation succeeds. */
    private static Void workPolitely(String uri, int number, AtomicBoolean ends, AtomicLong done) throws IOException {
        try (var client = new RawClient(uri)) {
            long begin = System.nanoTime();
            for (int n = 0; !ends.get(); n++) {
                while (IS_LONG && System.nanoTime() < begin + n * POLITE_PERIOD_NANOS) {
                    LockSupport.parkNanos(begin + n * POLITE_PERIOD_NANOS - System.nanoTime());
                }
                var id = number + "-" + n % 100;
                var update = new BsonWriter().put("update", "polite").startArray("updates");
                update.add(new BsonWriter()
                        .put("q", new BsonWriter().put("_id", id).finish())
                        .put(
                                "u",
                                new BsonWriter()
                                        .put(
                                                "$set",
                                                new BsonWriter().put("n", n).finish())
                                        .finish())
                        .put("upsert", true)
                        .finish());
                assertOk(client.run(update.end().put("$db", "soak").finish()));
                var found = client.run(new BsonWriter()
                        .put("find", "polite")
                        .put("filter", new BsonWriter().put("_id", id).finish())
                        .put("$db", "soak")
                        .finish());
                assertOk(found);
                assertThat(found.toString()).contains(id);
                done.incrementAndGet();
            }
            return null;
        }
    }

    private static void assertOk(RawDocument reply) {
        assertThat(reply.get("ok")).as(reply.toString()).isEqualTo(Value.of(1.0));
        assertThat(reply.get("writeErrors")).as(reply.toString()).isNull();
    }

    /** Every use once, and then any. */
    private static Void workHostilely(String uri, Queue<HostileUse> once, SplittableRandom random, long until)
            throws Exception {
        var uses = HostileUse.values();
        do {
            var next = once.poll();
            try {
                (next == null ? uses[random.nextInt(uses.length)] : next).run(uri, random);
            } catch (IOException cut) {
                // What such clients have coming. If the server itself had ended, the others would notice.
            }
        } while (!once.isEmpty() || System.nanoTime() < until);
        return null;
    }

    /** Everything that the hostile clients had is given back. */
    private static void awaitCalm(RawClient observer, long pid, Held before) throws IOException {
        long until = System.nanoTime() + CALM_MAX.toNanos();
        var now = Held.by(observer, pid);
        while (!now.isNoMoreThan(before) && System.nanoTime() < until) {
            LockSupport.parkNanos(100_000_000);
            now = Held.by(observer, pid);
        }
        assertThat(now.isNoMoreThan(before))
                .as("held in the end: %s; before: %s", now, before)
                .isTrue();
    }

    /** What is left in the heap after a collection, without what the account shows as data. */
    private static long heapBesideData(RawClient observer, long pid) throws IOException {
        jcmd(pid, "GC.run");
        var used = Pattern.compile("(?:total|used) .*?used (\\d+)K").matcher(jcmd(pid, "GC.heap_info"));
        assertThat(used.find()).isTrue();
        var status = observer.run(
                new BsonWriter().put("serverStatus", 1).put("$db", "admin").finish());
        var account = ((Value.Doc) Objects.requireNonNull(status.get("memoryAccount"))).document();
        boolean isInHeap = ((Value.Doc) Objects.requireNonNull(account.get("parts")))
                .document()
                .has("data");
        long data = isInHeap ? number(status, "memoryAccount", "parts", "data", "used") : 0;
        return (Long.parseLong(used.group(1)) << 10) - data;
    }

    private static String jcmd(long pid, String command) throws IOException {
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        var process = new ProcessBuilder(jcmd.toString(), Long.toString(pid), command)
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** What the server says it holds. */
    private record Held(
            long connections,
            long cursors,
            long requests,
            long replies,
            long cursorBytes,
            long writeSets,
            long queries,
            long transactions,
            long handles) {
        static Held by(RawClient observer, long pid) throws IOException {
            var status = observer.run(
                    new BsonWriter().put("serverStatus", 1).put("$db", "admin").finish());
            return new Held(
                    number(status, "connections", "current"),
                    number(status, "cursors", "open", "total"),
                    number(status, "memoryAccount", "parts", "requests", "used"),
                    number(status, "memoryAccount", "parts", "replies", "used"),
                    number(status, "memoryAccount", "parts", "cursors", "used"),
                    number(status, "memoryAccount", "parts", "writeSets", "used"),
                    number(status, "memoryAccount", "parts", "queries", "used"),
                    number(status, "transactions", "currentOpen"),
                    handles(pid));
        }

        /** Open files and threads, where the system shows them. */
        private static long handles(long pid) throws IOException {
            long count = 0;
            for (var folder : List.of("fd", "task")) {
                var entries = Path.of("/proc", Long.toString(pid), folder);
                if (Files.isReadable(entries)) {
                    try (var all = Files.list(entries)) {
                        count += all.count();
                    }
                }
            }
            return count;
        }

        boolean isNoMoreThan(Held before) {
            return connections <= before.connections
                    && cursors <= before.cursors
                    && requests <= before.requests
                    && replies <= before.replies
                    && cursorBytes <= before.cursorBytes
                    && writeSets <= before.writeSets
                    && queries <= before.queries
                    && transactions <= before.transactions
                    && handles <= before.handles + HANDLES_SPARE;
        }
    }

    private static long number(RawDocument document, String... path) {
        Value at = Value.of(document);
        for (var name : path) {
            at = ((Value.Doc) at).document().get(name);
            Objects.requireNonNull(at, name);
        }
        return switch (at) {
            case Value.Int32(int number) -> number;
            case Value.Int64(long number) -> number;
            case Value.Double64(double number) -> (long) number;
            default -> throw new AssertionError(at);
        };
    }
}
