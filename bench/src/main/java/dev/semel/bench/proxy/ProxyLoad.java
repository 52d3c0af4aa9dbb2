package dev.semel.bench.proxy;

import com.sun.management.OperatingSystemMXBean;
import dev.semel.blackpipe.fault.Action;
import dev.semel.blackpipe.fault.Phase;
import dev.semel.blackpipe.fault.Plan;
import dev.semel.blackpipe.fault.Rule;
import dev.semel.blackpipe.message.Match;
import dev.semel.blackpipe.proxy.Proxy;
import dev.semel.blackpipe.proxy.TargetUri;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.DoubleStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The same finds on four ways to one server in another process: straight, through a relay that copies bytes, through the proxy,
 * and through the proxy with a plan whose rules match other commands. By turns, so that whatever else the machine does
 * concerns all of them; each round gives a ratio to the relay, and the median is what counts.
 */
@Command(name = "proxy-load", mixinStandardHelpOptions = true)
public final class ProxyLoad implements Runnable {
    private static final int DOCUMENTS = 10_000;
    private static final int BATCH = 1_000;
    private static final String BASE = "relay";
    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    @Option(names = "--uri", required = true)
    private String uri = "";

    @Option(names = "--clients", split = ",")
    private List<Integer> clients = List.of(1, 8, 64);

    @Option(names = "--idle", description = "So many more connections stay open and silent.")
    private int idle;

    @Option(names = "--rounds")
    private int rounds = 7;

    @Option(names = "--seconds")
    private double seconds = 1;

    /** A way to the server. */
    private record Way(String name, String address) {}

    /** Of one way in one round; the times are of single finds, the processor's that of clients, relay and proxies for each. */
    private record Measured(double perSecond, double medianMicros, double micros99, double cpuMicros) {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new ProxyLoad()).execute(arguments));
    }

    @Override
    public void run() {
        String direct = TargetUri.parse(uri).hosts().get(0);
        try (var relay = new Relay(direct);
                var proxy = Proxy.start(uri, Plan.of());
                var planned = Proxy.start(uri, plan())) {
            fill(direct);
            List<Way> ways = List.of(
                    new Way("direct", direct),
                    new Way(BASE, relay.address()),
                    new Way("proxy", addressOf(proxy)),
                    new Way("proxy with a plan", addressOf(planned)));
            System.out.println(
                    "clients  way                  finds/s   ratio (min to max)     median     99 %    CPU each");
            for (int count : clients) {
                compare(count, ways);
            }
        } catch (IOException | InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Plan plan() {
        return Plan.of(
                Rule.of(Match.command("update").on("bench.c"), Phase.AFTER_APPLY, new Action.Close()),
                Rule.of(Match.command("insert").on("bench.other"), Phase.BEFORE, new Action.Delay(100)));
    }

    private static String addressOf(Proxy proxy) {
        return proxy.clientUri().hosts().get(0);
    }

    private static void fill(String direct) throws IOException {
        try (var client = new FindClient(direct)) {
            for (int from = 0; from < DOCUMENTS; from += BATCH) {
                client.insert(from, from + BATCH);
            }
        }
    }

    private void compare(int count, List<Way> ways) throws IOException, InterruptedException, ExecutionException {
        List<List<Measured>> results = new ArrayList<>();
        ways.forEach(each -> results.add(new ArrayList<>()));
        for (int round = -1; round < rounds; round++) {
            for (int turn = 0; turn < ways.size(); turn++) {
                int which = (turn + round + 1) % ways.size();
                Measured measured = measure(ways.get(which).address(), count);
                if (round >= 0) {
                    results.get(which).add(measured);
                }
            }
        }
        int base = ways.indexOf(ways.stream()
                .filter(each -> each.name().equals(BASE))
                .findFirst()
                .orElseThrow());
        for (int which = 0; which < ways.size(); which++) {
            double[] ratios = new double[rounds];
            for (int round = 0; round < rounds; round++) {
                ratios[round] = results.get(which).get(round).perSecond()
                        / results.get(base).get(round).perSecond();
            }
            Arrays.sort(ratios);
            Measured middle = middle(results.get(which));
            System.out.printf(
                    Locale.ROOT,
                    "%7d  %-18s %9.0f   %.2f (%.2f to %.2f) %7.0f us %7.0f us %7.1f us%n",
                    count,
                    ways.get(which).name(),
                    middle.perSecond(),
                    ratios[rounds / 2],
                    ratios[0],
                    ratios[rounds - 1],
                    middle.medianMicros(),
                    middle.micros99(),
                    middle.cpuMicros());
        }
    }

    private Measured measure(String address, int count) throws IOException, InterruptedException, ExecutionException {
        List<FindClient> silent = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < idle; i++) {
                FindClient client = new FindClient(address);
                client.hello();
                silent.add(client);
            }
            long cpu = PROCESS.getProcessCpuTime();
            long began = System.nanoTime();
            long end = began + (long) (seconds * 1e9);
            List<Future<long[]>> working = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Random random = new Random(i);
                working.add(threads.submit(() -> finds(address, random, end)));
            }
            List<long[]> all = new ArrayList<>();
            for (Future<long[]> each : working) {
                all.add(each.get());
            }
            double elapsed = (System.nanoTime() - began) / 1e9;
            long[] times = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
            return new Measured(
                    times.length / elapsed,
                    times[times.length / 2] / 1e3,
                    times[times.length * 99 / 100] / 1e3,
                    (PROCESS.getProcessCpuTime() - cpu) / 1e3 / times.length);
        } finally {
            for (FindClient each : silent) {
                each.close();
            }
        }
    }

    private static long[] finds(String address, Random random, long end) throws IOException {
        long[] times = new long[1024];
        int done = 0;
        try (var client = new FindClient(address)) {
            client.hello();
            for (long now = System.nanoTime(); now < end; ) {
                client.find(random.nextInt(DOCUMENTS));
                long after = System.nanoTime();
                if (done == times.length) {
                    times = Arrays.copyOf(times, 2 * done);
                }
                times[done++] = after - now;
                now = after;
            }
        }
        return Arrays.copyOf(times, done);
    }

    private static Measured middle(List<Measured> all) {
        return new Measured(
                middle(all.stream().mapToDouble(Measured::perSecond)),
                middle(all.stream().mapToDouble(Measured::medianMicros)),
                middle(all.stream().mapToDouble(Measured::micros99)),
                middle(all.stream().mapToDouble(Measured::cpuMicros)));
    }

    private static double middle(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
