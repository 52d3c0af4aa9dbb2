package dev.semel.bench.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** One workload against one target, by so many clients for so long. */
final class Run {
    private static final double SLICE_SECONDS = 3;

    /** What the compilers may have of a server's processor time when it is warm. */
    private static final double COMPILERS_SHARE = 0.04;

    private final String name;
    private final Target target;
    private final ServerCpu cpu;
    private final int documents;
    private final AtomicLong nextId;

    Run(String name, Target target, ServerCpu cpu, int documents) {
        this.name = name;
        this.target = target;
        this.cpu = cpu;
        this.documents = documents;
        this.nextId = new AtomicLong(documents);
    }

    boolean supports(Workload workload) {
        return target.supports(workload);
    }

    /**
     * Until the JVM's compilers, which share the processors with what they compile, have little to do any more.
     *
     * @param atLeast seconds
     * @param atMost seconds
     */
    void warmUp(Workload workload, int clients, double atLeast, double atMost) throws InterruptedException {
        measure(workload, clients, atLeast);
        for (double spent = atLeast; spent < atMost; spent += SLICE_SECONDS) {
            long before = cpu.compilerMicros();
            double all = measure(workload, clients, SLICE_SECONDS).serverCpuMicros();
            if (cpu.compilerMicros() - before <= COMPILERS_SHARE * all) {
                return;
            }
        }
    }

    Measurement measure(Workload workload, int clients, double seconds) throws InterruptedException {
        target.removeInserted();
        long cpuBefore = cpu.micros();
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        List<long[]> latencies = new ArrayList<>();
        try (var threads = Executors.newFixedThreadPool(clients)) {
            List<Future<long[]>> running = new ArrayList<>();
            for (int client = 0; client < clients; client++) {
                long seed = client;
                running.add(threads.submit(() -> client(workload, new SplittableRandom(seed), end)));
            }
            for (Future<long[]> each : running) {
                latencies.add(each.get());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(name + " failed in " + workload.label(), e.getCause());
        }
        double took = (System.nanoTime() - start) / 1e9;
        long spent = cpu.micros() - cpuBefore;
        long[] sorted =
                latencies.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        return new Measurement(
                name,
                workload,
                clients,
                sorted.length,
                took,
                spent,
                sorted[sorted.length / 2] / 1000,
                sorted[(int) (sorted.length * 0.99)] / 1000);
    }

    /** Nanoseconds of each operation; at least one operation, however long it takes. */
    private long[] client(Workload workload, SplittableRandom random, long end) {
        long[] latencies = new long[1024];
        int count = 0;
        long before = System.nanoTime();
        do {
            operate(workload, random);
            long after = System.nanoTime();
            if (count == latencies.length) {
                latencies = Arrays.copyOf(latencies, count * 2);
            }
            latencies[count++] = after - before;
            before = after;
        } while (before < end);
        return Arrays.copyOf(latencies, count);
    }

    private void operate(Workload workload, SplittableRandom random) {
        switch (workload) {
            case INSERT -> target.insert(nextId.getAndIncrement());
            case INSERT_BATCH -> target.insertBatch(nextId.getAndAdd(Workload.BATCH), Workload.BATCH);
            case INSERT_MANY -> target.insertBatch(nextId.getAndAdd(Workload.MANY), Workload.MANY);
            case FIND_ID -> target.findById(random.nextInt(documents));
            case FIND_INDEXED -> target.findByKey(random.nextInt(documents));
            case RANGE_100 -> target.range(random.nextInt(documents));
            case INCREMENT -> target.increment(random.nextInt(documents));
            case INCREMENT_ONE -> target.increment(0);
            case TRANSACTION ->
                target.transaction(
                        random.nextInt(documents),
                        random.nextInt(documents),
                        random.nextInt(documents),
                        nextId.getAndIncrement());
            case GROUP -> target.group();
        }
    }
}
