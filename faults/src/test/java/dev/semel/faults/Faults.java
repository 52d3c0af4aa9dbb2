package dev.semel.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** Runs schedules one after the other and prints what came of each; the program behind {@code dev/faults}. */
public final class Faults {
    /** Reports each connection that a fault breaks. Held, or its level would be forgotten. */
    private static final Logger GRPC = Logger.getLogger("org.apache.ratis.thirdparty.io.grpc");

    /** Of the servers. */
    private static final Logger SEMEL = Logger.getLogger("dev.semel");

    private static final String SEED = "--seed";
    private static final String SCHEDULES = "--schedules";
    private static final String HOURS = "--hours";
    private static final String PLANT = "--plant";
    private static final String PROCESSES = "--processes";
    private static final Set<String> OPTIONS = Set.of(SEED, SCHEDULES, HOURS, PLANT, PROCESSES);

    private Faults() {}

    /** What came of a schedule, and how it reads. */
    private record Outcome(String schedule, int faults, Run.Result result) {}

    /** Something that schedules happen to. */
    private interface Laboratory {
        Outcome run(long seed) throws Exception;
    }

    public static void main(String[] args) throws Exception {
        Map<String, String> options = options(args);
        long seed = Long.parseLong(options.getOrDefault(SEED, "1"));
        long nanos = (long) (Double.parseDouble(options.getOrDefault(HOURS, "1000000"))
                * Duration.ofHours(1).toNanos());
        long schedules = Long.parseLong(options.getOrDefault(SCHEDULES, options.containsKey(HOURS) ? "1000000" : "10"));
        Plant plant = Plant.valueOf(options.getOrDefault(PLANT, "none").toUpperCase(Locale.ROOT));
        String classPath = options.get(PROCESSES);
        if (classPath != null && plant != Plant.NONE) {
            throw new IllegalArgumentException("--plant needs members in this process");
        }
        Laboratory laboratory =
                classPath == null ? each -> inProcess(each, plant) : each -> ofProcesses(each, classPath);
        System.exit(run(seed, schedules, nanos, laboratory) ? 0 : 1);
    }

    private static Map<String, String> options(String[] args) {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i < args.length; i += 2) {
            if (!OPTIONS.contains(args[i]) || i + 1 == args.length) {
                throw new IllegalArgumentException(
                        "Options: --seed N --schedules N --hours H --plant NAME --processes CLASSPATH");
            }
            options.put(args[i], args[i + 1]);
        }
        return options;
    }

    private static boolean run(long first, long schedules, long nanos, Laboratory laboratory) throws Exception {
        long end = System.nanoTime() + nanos;
        long failed = 0;
        long seed = first;
        for (; seed - first < schedules && System.nanoTime() < end; seed++) {
            long begin = System.nanoTime();
            Outcome outcome = laboratory.run(seed);
            Run.Result result = outcome.result();
            boolean isGood = result.wrong().isEmpty();
            failed += isGood ? 0 : 1;
            System.out.printf(
                    Locale.ROOT,
                    "seed %d: %s, %.1f s, %d faults, %s%n",
                    seed,
                    isGood ? "good" : "WRONG",
                    (System.nanoTime() - begin) / 1e9,
                    outcome.faults(),
                    result.acknowledged());
            if (!isGood) {
                System.out.println("  " + outcome.schedule());
                result.wrong().forEach(each -> System.out.println("  " + each));
            }
        }
        System.out.printf("%d schedules from seed %d, %d of them wrong%n", seed - first, first, failed);
        return failed == 0;
    }

    private static Outcome inProcess(long seed, Plant plant) throws Exception {
        Schedule schedule = Schedule.of(seed);
        int faults =
                schedule.steps().stream().mapToInt(each -> each.faults().size()).sum();
        return new Outcome(schedule.toString(), faults, run(schedule, plant));
    }

    /** If something is wrong, the data and logs of the members stay. */
    private static Outcome ofProcesses(long seed, String classPath) throws Exception {
        ProcessSchedule schedule = ProcessSchedule.of(seed);
        Path folder = Files.createTempDirectory("semel-faults");
        Run.Result result = ProcessRun.of(schedule, classPath, folder, workloads(seed));
        if (result.wrong().isEmpty()) {
            delete(folder);
        }
        return new Outcome(schedule + " in " + folder, schedule.faultCount(), result);
    }

    static Run.Result run(Schedule schedule, Plant plant) throws Exception {
        GRPC.setLevel(Level.OFF);
        SEMEL.setLevel(Level.WARNING);
        Path folder = Files.createTempDirectory("semel-faults");
        try {
            return Run.of(schedule, folder, plant, workloads(schedule.seed()));
        } finally {
            delete(folder);
        }
    }

    private static List<Workload> workloads(long seed) {
        return List.of(
                new Counters(),
                new ProvenCounters(),
                new UniqueNames(),
                new Isolation(seed),
                new Prefixes(new SplittableRandom(seed)),
                new QueueOfTasks());
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
