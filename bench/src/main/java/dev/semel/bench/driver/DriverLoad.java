package dev.semel.bench.driver;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.types.ObjectId;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Both drivers alternate on one server in another process: operations per second, and what the client's process uses for
 * each. The one that runs first in a round runs second in the next.
 */
@Command(name = "driver-load", mixinStandardHelpOptions = true)
public final class DriverLoad implements Runnable {
    private static final int DOCUMENTS = 100_000;
    private static final int BATCH = 1_000;

    @Option(names = "--uri", required = true)
    private String uri = "";

    @Option(names = "--threads", split = ",")
    private List<Integer> threads = List.of(1, 8, 64, 1_000);

    @Option(names = "--workload", split = ",")
    private List<Workload> workloads = List.of(Workload.values());

    @Option(names = "--subject", split = ",")
    private List<Kind> kinds = List.of(Kind.OWN, Kind.OFFICIAL);

    @Option(names = "--rounds")
    private int rounds = 5;

    @Option(names = "--seconds")
    private double seconds = 2;

    /** What is compared. */
    enum Kind {
        OWN(OwnSubject::ordinary),
        OFFICIAL(uri -> new OfficialSubject(uri, "mongodb-driver-sync")),
        WITHOUT_RETRIES(OwnSubject::withoutRetries),
        WATCHED(OwnSubject::watched);

        @SuppressWarnings("ImmutableEnumChecker") // a way to make one, without anything that could change
        private final Function<String, Subject> make;

        Kind(Function<String, Subject> make) {
            this.make = make;
        }
    }

    /** What one operation is. */
    enum Workload {
        FIND_ID,
        INSERT_ONE,
        INSERT_MANY,
        CURSOR
    }

    /** Of one driver in one round. */
    record Measured(double opsPerSecond, double cpuMicros, double bytes) {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new DriverLoad())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments));
    }

    @Override
    public void run() {
        List<Subject> subjects =
                kinds.stream().map(each -> each.make.apply(uri)).toList();
        try {
            subjects.forEach(DriverLoad::fill);
            System.out.printf(
                    "%-12s %8s %-20s %12s %10s %12s  %s%n",
                    "workload", "threads", "driver", "ops/s", "CPU us/op", "bytes/op", "CPU, ratio");
            for (Workload workload : workloads) {
                for (int count : threads) {
                    if (workload == Workload.FIND_ID || workload == Workload.INSERT_ONE || count == 1) {
                        compare(workload, count, subjects);
                    }
                }
            }
        } finally {
            subjects.forEach(Subject::close);
        }
    }

    private static void fill(Subject subject) {
        subject.drop();
        for (int from = 0; from < DOCUMENTS; from += BATCH) {
            subject.load(IntStream.range(from, from + BATCH)
                    .mapToObj(each -> new Document("_id", each)
                            .append("name", "a name of some length " + each)
                            .append("count", each)
                            .append("tags", List.of("one", "two")))
                    .toList());
        }
    }

    private void compare(Workload workload, int count, List<Subject> subjects) {
        List<List<Measured>> results = new ArrayList<>();
        subjects.forEach(each -> results.add(new ArrayList<>()));
        for (int round = -1; round < rounds; round++) {
            for (int turn = 0; turn < subjects.size(); turn++) {
                int which = (turn + round + 1) % subjects.size();
                Measured measured = measure(count, operation(workload, subjects.get(which)));
                if (round >= 0) {
                    results.get(which).add(measured);
                }
            }
        }
        for (int which = 0; which < subjects.size(); which++) {
            print(workload, count, subjects.get(which), results.get(which), results.getFirst());
        }
    }

    /** The medians, and the processor time as a ratio to the first subject's of the same round: its median, least and most. */
    private static void print(
            Workload workload, int count, Subject subject, List<Measured> rounds, List<Measured> first) {
        Measured middle = median(rounds);
        List<Double> ratios = IntStream.range(0, rounds.size())
                .mapToObj(round ->
                        rounds.get(round).cpuMicros() / first.get(round).cpuMicros())
                .sorted()
                .toList();
        System.out.printf(
                Locale.ROOT,
                "%-12s %8d %-20s %12.0f %10.1f %12.0f  %.2f (%.2f to %.2f)%n",
                workload.name().toLowerCase(Locale.ROOT),
                count,
                subject.name(),
                middle.opsPerSecond(),
                middle.cpuMicros(),
                middle.bytes(),
                middle(ratios),
                ratios.getFirst(),
                ratios.getLast());
    }

    private static IntFunction<Boolean> operation(Workload workload, Subject subject) {
        return switch (workload) {
            case FIND_ID -> subject::findId;
            case INSERT_ONE ->
                random -> {
                    subject.insertOne(new Document("_id", new ObjectId()).append("a", random));
                    return true;
                };
            case INSERT_MANY ->
                random -> {
                    subject.insertMany(IntStream.range(0, BATCH)
                            .mapToObj(each -> new Document("_id", new ObjectId()).append("a", each))
                            .toList());
                    return true;
                };
            case CURSOR -> random -> subject.readAll() == DOCUMENTS;
        };
    }

    private Measured measure(int count, IntFunction<Boolean> operation) {
        var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        var memory = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
        var done = new LongAdder();
        var ended = new CountDownLatch(count);
        long cpu = system.getProcessCpuTime();
        long bytes = memory.getTotalThreadAllocatedBytes();
        long start = System.nanoTime();
        long end = start + Duration.ofNanos((long) (seconds * 1e9)).toNanos();
        for (int i = 0; i < count; i++) {
            var random = new Random(i);
            Thread.ofVirtual().start(() -> {
                try {
                    do {
                        if (!operation.apply(random.nextInt(DOCUMENTS))) {
                            throw new IllegalStateException("the operation found nothing");
                        }
                        done.increment();
                    } while (System.nanoTime() < end);
                } finally {
                    ended.countDown();
                }
            });
        }
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        double elapsed = (System.nanoTime() - start) / 1e9;
        long operations = done.sum();
        return new Measured(
                operations / elapsed,
                (system.getProcessCpuTime() - cpu) / 1e3 / operations,
                (double) (memory.getTotalThreadAllocatedBytes() - bytes) / operations);
    }

    private static Measured median(List<Measured> all) {
        return new Measured(
                middle(all.stream().map(Measured::opsPerSecond).sorted().toList()),
                middle(all.stream().map(Measured::cpuMicros).sorted().toList()),
                middle(all.stream().map(Measured::bytes).sorted().toList()));
    }

    private static double middle(List<Double> sorted) {
        return sorted.get(sorted.size() / 2);
    }
}
