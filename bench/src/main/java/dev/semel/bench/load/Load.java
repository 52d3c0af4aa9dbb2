package dev.semel.bench.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs every workload against every target in turn, A B A B, and prints a JSON line per measurement, then a line per
 * pair of targets with the ratios.
 */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        description = "Load against any connection string; one JSON line per measurement.")
public final class Load implements Runnable {
    @Option(
            names = "--target",
            required = true,
            description = "NAME=URI or NAME@PID=URI (mongodb://... or jdbc:postgresql:...). With the server's PID its"
                    + " processor time is measured; those of a set are PID+PID+PID. Repeat to compare; ratios are of"
                    + " each to the last.")
    private List<String> targets = List.of();

    @Option(
            names = "--workload",
            defaultValue = "all",
            description = "All, or some of: insert, insertBatch, findId, findIndexed, range100, increment, group;"
                    + " insertMany, incrementOne and transaction are no part of all. transaction:64 has 64 clients,"
                    + " whatever --clients says. Default: ${DEFAULT-VALUE}")
    private String workloads = "all";

    @Option(names = "--clients", defaultValue = "1,8,64", description = "Numbers of clients. Default: ${DEFAULT-VALUE}")
    private String clients = "1,8,64";

    @Option(
            names = "--documents",
            defaultValue = "100000",
            description = "Documents stored before. Default: ${DEFAULT-VALUE}")
    private int documents = 100_000;

    @Option(names = "--bytes", defaultValue = "1024", description = "Size of a document. Default: ${DEFAULT-VALUE}")
    private int bytes = 1024;

    @Option(
            names = "--seconds",
            defaultValue = "2",
            description = "Length of one measurement. Default: ${DEFAULT-VALUE}")
    private double seconds = 2;

    @Option(
            names = "--rounds",
            defaultValue = "10",
            description = "Interleaved rounds that are counted. Default: ${DEFAULT-VALUE}")
    private int rounds = 10;

    @Option(
            names = "--warm-up",
            defaultValue = "5",
            description = "Seconds per measurement that are not counted, before the rounds. Default: ${DEFAULT-VALUE}")
    private double warmUp = 5;

    @Option(
            names = "--warm-up-max",
            defaultValue = "0",
            description =
                    "Seconds after which a measurement begins although the compilers of the server's JVM still have"
                        + " more than a little to do; if it is not more than --warm-up, nobody looks at them. Default:"
                        + " ${DEFAULT-VALUE}")
    private double warmUpMax;

    @Option(
            names = "--locks",
            defaultValue = "0",
            description =
                    "Locks that another transaction holds on the first target meanwhile. Default: ${DEFAULT-VALUE}")
    private int locks;

    public static void main(String[] arguments) {
        // A script's own options come first, and those of its user replace them.
        System.exit(
                new CommandLine(new Load()).setOverwrittenOptionsAllowed(true).execute(arguments));
    }

    @Override
    public void run() {
        Map<String, Run> runs = new LinkedHashMap<>();
        List<Target> opened = new ArrayList<>();
        try {
            for (String target : targets) {
                Named named = Named.parse(target);
                Target open = named.uri().startsWith("jdbc:postgresql:")
                        ? new PostgresTarget(named.uri())
                        : new MongoTarget(named.uri());
                opened.add(open);
                open.prepare(documents, bytes);
                runs.put(named.name(), new Run(named.name(), open, new ServerCpu(named.pids()), documents));
            }
            if (locks > 0) {
                opened.getFirst().holdLocks(locks);
            }
            int[] counts = Arrays.stream(clients.split(","))
                    .mapToInt(Integer::parseInt)
                    .toArray();
            for (Workload.WithClients each : Workload.parse(workloads, counts)) {
                List<Run> able = runs.values().stream()
                        .filter(run -> run.supports(each.workload()))
                        .toList();
                compare(each.workload(), each.clients(), able);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            opened.forEach(Target::close);
        }
    }

    private void compare(Workload workload, int count, List<Run> runs) throws InterruptedException {
        List<List<Measurement>> measured = new ArrayList<>();
        for (Run run : runs) {
            run.warmUp(workload, count, warmUp, warmUpMax);
            measured.add(new ArrayList<>());
        }
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < runs.size(); i++) {
                Measurement measurement = runs.get(i).measure(workload, count, seconds);
                measured.get(i).add(measurement);
                System.out.println(measurement.json());
            }
        }
        for (int i = 0; i < runs.size() - 1; i++) {
            System.out.println(new Ratios(measured.get(i), measured.getLast()).json());
        }
    }

    /** {@code name=uri} or {@code name@pid=uri}. */
    private record Named(String name, List<Long> pids, String uri) {
        static Named parse(String target) {
            int equals = target.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("a target is NAME=URI or NAME@PID=URI, not " + target);
            }
            String name = target.substring(0, equals);
            int at = name.indexOf('@');
            return new Named(
                    at < 0 ? name : name.substring(0, at),
                    at < 0
                            ? List.of()
                            : Arrays.stream(name.substring(at + 1).split("\\+"))
                                    .map(Long::valueOf)
                                    .toList(),
                    target.substring(equals + 1));
        }
    }
}
