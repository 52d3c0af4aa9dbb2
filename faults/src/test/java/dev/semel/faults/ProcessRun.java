package dev.semel.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** Lets one schedule happen to processes. */
final class ProcessRun {
    private ProcessRun() {}

    static Run.Result of(ProcessSchedule schedule, String classPath, Path folder, List<Workload> workloads)
            throws Exception {
        List<String> wrong = new ArrayList<>();
        Map<String, Long> counts = new LinkedHashMap<>();
        try (ProcessSet set = new ProcessSet(classPath, folder)) {
            set.awaitPrimary();
            try (Clients clients = new Clients(set.addresses(), set::ableNanos)) {
                workloads.forEach(each -> each.prepare(clients));
                AtomicBoolean isOver = new AtomicBoolean();
                try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                    List<Future<?>> running = Run.start(workloads, clients, isOver, threads);
                    try {
                        for (ProcessSchedule.Step step : schedule.steps()) {
                            perform(step, set);
                            set.checkRunning();
                        }
                        set.awaitPrimary();
                    } finally {
                        isOver.set(true);
                    }
                    Run.await(running, clients);
                }
                set.awaitSameContent();
                set.checkRunning();
                wrong.addAll(Run.wrong(workloads, clients));
            }
            counts.put("endsOnFullDisk", (long) set.ends());
        } catch (AssertionError e) {
            wrong.add(String.valueOf(e.getMessage()));
        }
        counts.putAll(Run.acknowledged(workloads));
        return new Run.Result(counts, wrong);
    }

    private static void perform(ProcessSchedule.Step step, ProcessSet set) throws IOException, InterruptedException {
        Thread.sleep(step.pauseMs());
        int primary = set.primary();
        Map<ProcessFault, Integer> begun = new LinkedHashMap<>();
        try {
            for (ProcessFault each : step.faults()) {
                int member = each.target().of(primary, set.size());
                begun.put(each, member);
                each.begin(set, member);
            }
            Thread.sleep(step.lastsMs());
        } finally {
            for (Map.Entry<ProcessFault, Integer> each : begun.entrySet()) {
                each.getKey().end(set, each.getValue());
            }
        }
    }
}
