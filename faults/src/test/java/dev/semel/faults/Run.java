package dev.semel.faults;

import com.mongodb.MongoException;
import dev.semel.faults.Schedule.Step;
import dev.semel.golden.history.Workload.Aborted;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Lets one schedule happen. */
final class Run {
    private static final Duration SOON = Duration.ofSeconds(30);

    /** For drivers that wait for a primary, at the end. */
    private static final Duration END_ATMOST = Duration.ofSeconds(60);

    private static final long END_LOOK_MS = 500;

    private Run() {}

    /**
     * What came of a schedule.
     *
     * @param acknowledged by the names of the workloads
     * @param wrong what should not be so; empty if all is well
     */
    record Result(Map<String, Long> acknowledged, List<String> wrong) {
        Result {
            acknowledged = new TreeMap<>(acknowledged);
            wrong = List.copyOf(wrong);
        }
    }

    static Result of(Schedule schedule, Path folder, Plant plant, List<Workload> workloads) throws Exception {
        List<String> wrong = new ArrayList<>();
        try (FaultySet set = new FaultySet(folder, 3, schedule.isDurable(), plant)) {
            set.awaitPrimary(SOON);
            try (Clients clients = new Clients(set.addresses(), System::nanoTime)) {
                workloads.forEach(each -> each.prepare(clients));
                AtomicBoolean isOver = new AtomicBoolean();
                try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                    List<Future<?>> running = start(workloads, clients, isOver, threads);
                    try {
                        for (Step step : schedule.steps()) {
                            perform(step, set);
                        }
                        set.awaitPrimary(SOON);
                    } finally {
                        set.network.heal();
                        isOver.set(true);
                    }
                    await(running, clients);
                }
                set.awaitSameContent(SOON);
                try {
                    wrong.addAll(wrong(workloads, clients));
                } catch (MongoException | Aborted e) {
                    wrong.add("a client does not find out: " + e.getMessage() + "; members: " + set.office.members());
                }
            }
        } catch (AssertionError e) {
            wrong.add(String.valueOf(e.getMessage()));
        }
        return new Result(acknowledged(workloads), wrong);
    }

    static List<String> wrong(List<Workload> workloads, Clients clients) {
        List<String> wrong = new ArrayList<>();
        for (Workload each : workloads) {
            each.wrong(clients).forEach(one -> wrong.add(each.getClass().getSimpleName() + ": " + one));
        }
        return wrong;
    }

    static Map<String, Long> acknowledged(List<Workload> workloads) {
        Map<String, Long> acknowledged = new TreeMap<>();
        workloads.forEach(each -> acknowledged.put(each.getClass().getSimpleName(), each.acknowledged()));
        return acknowledged;
    }

    static List<Future<?>> start(
            List<Workload> workloads, Clients clients, AtomicBoolean isOver, ExecutorService threads) {
        List<Future<?>> running = new ArrayList<>();
        for (Workload each : workloads) {
            for (int i = 0; i < each.clients(); i++) {
                int client = i;
                running.add(threads.submit(() -> {
                    each.run(clients, client, isOver::get);
                    return null;
                }));
            }
        }
        return running;
    }

    static void await(List<Future<?>> running, Clients clients) throws InterruptedException {
        for (Future<?> each : running) {
            await(each, clients.patience(END_ATMOST));
        }
    }

    private static void await(Future<?> client, Patience patience) throws InterruptedException {
        while (true) {
            try {
                client.get(END_LOOK_MS, TimeUnit.MILLISECONDS);
                return;
            } catch (ExecutionException e) {
                throw new AssertionError("a client failed: " + e.getCause(), e);
            } catch (TimeoutException e) {
                if (patience.isOver()) {
                    throw new AssertionError("a client does not end " + patience, e);
                }
            }
        }
    }

    private static void perform(Step step, FaultySet set) throws IOException, InterruptedException {
        Thread.sleep(step.pauseMs());
        int primary = set.primary();
        Map<Fault, Integer> begun = new LinkedHashMap<>();
        try {
            for (Fault each : step.faults()) {
                int member = each.target().of(primary, set.size());
                begun.put(each, member);
                each.begin(set, member);
            }
            Thread.sleep(step.lastsMs());
        } finally {
            for (Map.Entry<Fault, Integer> each : begun.entrySet()) {
                each.getKey().end(set, each.getValue());
            }
        }
    }
}
