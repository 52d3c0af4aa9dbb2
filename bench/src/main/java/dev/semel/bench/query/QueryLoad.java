package dev.semel.bench.query;

import dev.semel.bench.load.ServerCpu;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Asks every server every question in turn, and prints a table: the processor time of the server for one answer, and how long
 * that took. Before that the servers are held to the same answers.
 */
@Command(name = "queries", mixinStandardHelpOptions = true, description = "Queries against any connection string.")
public final class QueryLoad implements Runnable {
    private static final int PROBES = 20;

    @Option(names = "--target", required = true, description = "NAME@PID=URI; repeat to compare.")
    private List<String> targets = List.of();

    @Option(names = "--documents", defaultValue = "1000000", description = "Default: ${DEFAULT-VALUE}")
    private int documents = 1_000_000;

    @Option(names = "--clients", defaultValue = "4", description = "Default: ${DEFAULT-VALUE}")
    private int clients = 4;

    @Option(names = "--seconds", defaultValue = "3", description = "Of one measurement. Default: ${DEFAULT-VALUE}")
    private double seconds = 3;

    @Option(names = "--rounds", defaultValue = "5", description = "Default: ${DEFAULT-VALUE}")
    private int rounds = 5;

    @Option(names = "--warm-up", defaultValue = "5", description = "Seconds. Default: ${DEFAULT-VALUE}")
    private double warmUp = 5;

    @Option(names = "--question", split = ",", description = "Default: all of ${COMPLETION-CANDIDATES}")
    private List<Question> questions = List.of(Question.values());

    private record Server(String name, Asked asked, ServerCpu cpu) {}

    /** Of one round. */
    private record Figures(double cpuMicros, double medianMillis) {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new QueryLoad())
                .setOverwrittenOptionsAllowed(true)
                .execute(arguments));
    }

    @Override
    public void run() {
        List<Server> servers = targets.stream().map(QueryLoad::server).toList();
        try {
            Things things = new Things(documents);
            for (Server each : servers) {
                long begun = System.nanoTime();
                each.asked.prepare(things);
                System.err.printf(
                        "%s has the documents after %d s%n", each.name, (System.nanoTime() - begun) / 1_000_000_000);
            }
            Map<Question, Map<String, List<Figures>>> all = new EnumMap<>(Question.class);
            for (Question question : questions) {
                List<Server> able = servers.stream()
                        .filter(each -> each.asked.answers(question))
                        .toList();
                compareAnswers(question, able);
                all.put(question, measure(question, able));
            }
            print(servers, all);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            servers.forEach(each -> each.asked.close());
        }
    }

    private static Server server(String target) {
        int equals = target.indexOf('=');
        int at = target.indexOf('@');
        String name = target.substring(0, at);
        String uri = target.substring(equals + 1);
        return new Server(
                name,
                uri.startsWith("jdbc:") ? new PostgresAsked(uri) : new MongoAsked(name, uri),
                new ServerCpu(List.of(Long.parseLong(target.substring(at + 1, equals)))));
    }

    private static void compareAnswers(Question question, List<Server> servers) {
        for (int about = 0; about < PROBES; about++) {
            int number = about;
            List<Long> results = servers.stream()
                    .map(each -> each.asked.ask(question, number))
                    .toList();
            if (results.stream().distinct().count() > 1) {
                throw new IllegalStateException(
                        "%s about %d has different results: %s".formatted(question, about, results));
            }
        }
    }

    private Map<String, List<Figures>> measure(Question question, List<Server> servers) throws InterruptedException {
        Map<String, List<Figures>> found = new LinkedHashMap<>();
        for (Server each : servers) {
            measure(question, each, warmUp);
            found.put(each.name, new ArrayList<>());
        }
        for (int round = 0; round < rounds; round++) {
            for (Server each : servers) {
                Figures figures = measure(question, each, seconds);
                found.getOrDefault(each.name, new ArrayList<>()).add(figures);
                System.err.printf(
                        Locale.ROOT,
                        "%s %s %.0f us %.2f ms%n",
                        question,
                        each.name,
                        figures.cpuMicros,
                        figures.medianMillis);
            }
        }
        return found;
    }

    private Figures measure(Question question, Server server, double length) throws InterruptedException {
        long cpuBefore = server.cpu.micros();
        long end = System.nanoTime() + (long) (length * 1e9);
        List<long[]> latencies = new ArrayList<>();
        try (var threads = Executors.newFixedThreadPool(clients)) {
            List<Future<long[]>> running = new ArrayList<>();
            for (int client = 0; client < clients; client++) {
                SplittableRandom random = new SplittableRandom(client);
                running.add(threads.submit(() -> client(question, server.asked, random, end)));
            }
            for (Future<long[]> each : running) {
                latencies.add(each.get());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(server.name + " failed in " + question, e.getCause());
        }
        long spent = server.cpu.micros() - cpuBefore;
        long[] sorted =
                latencies.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        return new Figures((double) spent / sorted.length, sorted[sorted.length / 2] / 1e6);
    }

    /** Nanoseconds of each answer; at least of one. */
    private static long[] client(Question question, Asked asked, SplittableRandom random, long end) {
        List<Long> latencies = new ArrayList<>();
        long before = System.nanoTime();
        do {
            asked.ask(question, random.nextInt(1_000_000));
            long after = System.nanoTime();
            latencies.add(after - before);
            before = after;
        } while (before < end);
        return latencies.stream().mapToLong(Long::longValue).toArray();
    }

    private static void print(List<Server> servers, Map<Question, Map<String, List<Figures>>> all) {
        System.out.println("| query | "
                + servers.stream().map(each -> each.name + " µs CPU, ms").collect(Collectors.joining(" | ")) + " |");
        System.out.println("| --- |" + " ---: |".repeat(servers.size()));
        all.forEach((question, of) -> System.out.println("| " + question.label() + " | "
                + servers.stream()
                        .map(each -> of.containsKey(each.name) ? cell(of.get(each.name)) : "-")
                        .collect(Collectors.joining(" | "))
                + " |"));
    }

    /** The median of the rounds, with the lowest and the highest of the processor time. */
    private static String cell(List<Figures> rounds) {
        double[] cpu = rounds.stream().mapToDouble(Figures::cpuMicros).sorted().toArray();
        double[] millis =
                rounds.stream().mapToDouble(Figures::medianMillis).sorted().toArray();
        return String.format(
                Locale.ROOT,
                "%,.0f (%,.0f to %,.0f), %.1f",
                cpu[cpu.length / 2],
                cpu[0],
                cpu[cpu.length - 1],
                millis[millis.length / 2]);
    }
}
