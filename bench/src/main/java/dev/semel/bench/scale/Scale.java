package dev.semel.bench.scale;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.semel.bench.load.ServerCpu;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Fills one collection up to each of some sizes, and measures at each: {@code Scale <java> <jar> <folder> <sizes>}. Prints a
 * JSON line per measurement.
 */
public final class Scale {
    private static final int CLIENTS = 8;
    private static final long MEASURE_SECS = 10;

    /** For each million documents, so that most blocks are in the cache, as in a server that has run for a while. */
    private static final long WARM_UP_SECS = 5;

    private static final long MILLION = 1_000_000;

    private final DurableServer server;
    private final Things things;

    /** What is measured must not read what its warm-up has read, in the same order. */
    private final AtomicLong seeds = new AtomicLong();

    private Scale(DurableServer server, Things things) {
        this.server = server;
        this.things = things;
    }

    private interface Operation {
        void run(SplittableRandom random, long count);
    }

    /** The sizes are numbers of documents, growing, separated by commas. */
    public static void main(String... arguments) throws Exception {
        List<Long> sizes =
                Arrays.stream(arguments[3].split(",")).map(Long::valueOf).toList();
        try (DurableServer server = DurableServer.start(arguments[0], arguments[1], "1g", Path.of(arguments[2]));
                MongoClient client = MongoClients.create(server.uri())) {
            new Scale(server, new Things(client)).run(sizes);
        }
    }

    private void run(List<Long> sizes) throws Exception {
        things.createIndexes();
        long stored = 0;
        for (long size : sizes) {
            load(stored, size);
            stored = size;
            rest();
            measure("findId", size, things::findById);
            measure("findIndexed", size, things::findByIndex);
            measure("range100", size, things::range);
            measure("increment", size, things::increment);
            indexBuild(size);
            tell("disk", size, (double) server.diskBytes() / (size * Things.documentBytes()), "times raw size", 0);
            restart(size);
        }
    }

    private void load(long from, long to) throws Exception {
        AtomicLong next = new AtomicLong(from);
        ServerCpu cpu = cpu();
        long before = cpu.micros();
        long begun = System.nanoTime();
        inParallel(() -> {
            for (long first = next.getAndAdd(Things.BATCH); first < to; first = next.getAndAdd(Things.BATCH)) {
                things.insert(first);
            }
        });
        double secs = secondsSince(begun);
        rest();
        // What the engine rewrites in the background afterwards belongs to the load.
        tell("load", to, (double) (cpu.micros() - before) / (to - from), "µs CPU", (to - from) / secs);
    }

    private void measure(String name, long size, Operation operation) throws Exception {
        during(WARM_UP_SECS * Math.max(1, size / MILLION), size, operation);
        ServerCpu cpu = cpu();
        long before = cpu.micros();
        long begun = System.nanoTime();
        long count = during(MEASURE_SECS, size, operation);
        double secs = secondsSince(begun);
        tell(name, size, (double) (cpu.micros() - before) / count, "µs CPU", count / secs);
    }

    private long during(long seconds, long size, Operation operation) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        AtomicLong count = new AtomicLong();
        inParallel(() -> {
            SplittableRandom random = new SplittableRandom(seeds.incrementAndGet());
            while (System.nanoTime() < end) {
                operation.run(random, size);
                count.incrementAndGet();
            }
        });
        return count.get();
    }

    private void indexBuild(long size) throws Exception {
        ServerCpu cpu = cpu();
        long before = cpu.micros();
        long begun = System.nanoTime();
        things.buildIndex();
        double secs = secondsSince(begun);
        tell("indexBuild", size, (double) (cpu.micros() - before) / size, "µs CPU", size / secs);
        things.dropBuiltIndex();
        rest();
    }

    /** Until the first find is answered. */
    private void restart(long size) throws Exception {
        long begun = System.nanoTime();
        server.killAndStart();
        things.findById(new SplittableRandom(size), size);
        tell("restart", size, secondsSince(begun), "s", 0);
        if (things.count() != size) {
            throw new IllegalStateException("after kill -9 there are " + things.count() + " of " + size);
        }
    }

    /** Until the server has little to do: the engine tidies in the background. */
    private void rest() throws Exception {
        ServerCpu cpu = cpu();
        long before;
        do {
            before = cpu.micros();
            TimeUnit.SECONDS.sleep(2);
        } while (cpu.micros() - before > 200_000);
    }

    private ServerCpu cpu() {
        return new ServerCpu(List.of(server.pid()));
    }

    private static void inParallel(Runnable work) throws Exception {
        try (var threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                running.add(threads.submit(work));
            }
            for (Future<?> each : running) {
                each.get();
            }
        }
    }

    private static double secondsSince(long begun) {
        return (System.nanoTime() - begun) / 1e9;
    }

    private static void tell(String measurement, long documents, double value, String unit, double perSecond) {
        System.out.printf(
                Locale.ROOT,
                "{\"measurement\":\"%s\",\"documents\":%d,\"value\":%.2f,\"unit\":\"%s\",\"perSecond\":%.0f}%n",
                measurement,
                documents,
                value,
                unit,
                perSecond);
    }
}
