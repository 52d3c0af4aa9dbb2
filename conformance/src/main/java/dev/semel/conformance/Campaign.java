package dev.semel.conformance;

import dev.semel.conformance.adapter.Driver;
import dev.semel.conformance.subject.Subject;
import dev.semel.conformance.subject.Topology;
import dev.semel.conformance.unified.CaseRunner;
import dev.semel.conformance.unified.TestCase;
import dev.semel.conformance.unified.Verdict;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * All cases with one driver on one topology. They run on a few lanes, each with its own server: a fail point set by
 * one case must not hit another. Many count on heartbeats and waits of milliseconds, so a case that fails beside the
 * others is run again, alone, at the end.
 */
public final class Campaign {
    /** The longest of them all need a few seconds on a busy machine. */
    private static final int LONGEST_CASE_SECONDS = 40;

    private static final int TRIES_ALONE = 3;

    private final Driver driver;
    private final Topology topology;
    private final Set<String> byStatement;
    private final Set<String> failing;
    private final Queue<List<TestCase>> left;
    private final Queue<TestCase> again = new ConcurrentLinkedQueue<>();
    private final Map<String, Integer> runsAlone = new ConcurrentSkipListMap<>();
    private final AtomicInteger lanesAtWork = new AtomicInteger();
    private final Map<String, CompletableFuture<Verdict>> verdicts = new LinkedHashMap<>();

    /**
     * @param cases by file
     * @param byStatement the ids of the cases that demand MongoDB's partial results of an ordered batch
     * @param failing the ids of those that are not expected to pass another time
     */
    public Campaign(
            Driver driver,
            Topology topology,
            List<List<TestCase>> cases,
            Set<String> byStatement,
            Set<String> failing) {
        this.driver = driver;
        this.topology = topology;
        this.byStatement = byStatement;
        this.failing = failing;
        left = new ConcurrentLinkedQueue<>(cases);
        for (List<TestCase> each : cases) {
            for (TestCase test : each) {
                verdicts.put(test.id(), new CompletableFuture<>());
            }
        }
    }

    /** How lists and pages call what a driver does on a topology. */
    public static String name(Driver driver, Topology topology) {
        return driver.name() + " on " + topology;
    }

    public void start(int lanes) {
        lanesAtWork.set(lanes);
        for (int i = 0; i < lanes; i++) {
            Thread.ofPlatform()
                    .daemon()
                    .name("conformance-" + topology.label() + "-" + i)
                    .start(this::lane);
        }
    }

    /** How often each case was run again that failed beside the others. Complete when every verdict is there. */
    public Map<String, Integer> runsAlone() {
        return Map.copyOf(runsAlone);
    }

    private void lane() {
        try (Lane lane = new Lane()) {
            for (List<TestCase> file = left.poll(); file != null; file = left.poll()) {
                for (TestCase test : file) {
                    hear(test, lane);
                }
            }
            if (lanesAtWork.decrementAndGet() == 0) {
                for (TestCase test = again.poll(); test != null; test = again.poll()) {
                    verdict(test).complete(lane.judge(test));
                }
            }
        } catch (IOException | RuntimeException e) {
            verdicts.values().forEach(each -> each.completeExceptionally(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void hear(TestCase test, Lane lane) throws IOException, InterruptedException {
        Verdict first = lane.run(test);
        if (first instanceof Verdict.Failed && !failing.contains(test.id())) {
            again.add(test);
        } else {
            verdict(test).complete(first);
        }
    }

    /** A server, and the thread on which a case runs: one that does not end takes its server with it. */
    private final class Lane implements AutoCloseable {
        private final ExecutorService executor = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().daemon().name("case-", 0).factory());

        private Subject subject = Subject.start(topology);

        private Lane() throws IOException {}

        private Verdict judge(TestCase test) throws IOException, InterruptedException {
            Verdict verdict = runAlone(test);
            for (int i = 1; i < TRIES_ALONE && verdict instanceof Verdict.Failed; i++) {
                verdict = runAlone(test);
            }
            return verdict;
        }

        private Verdict runAlone(TestCase test) throws IOException, InterruptedException {
            runsAlone.merge(test.id(), 1, Integer::sum);
            return run(test);
        }

        private Verdict run(TestCase test) throws IOException, InterruptedException {
            Subject current = subject;
            Future<Verdict> running =
                    executor.submit(() -> Campaign.this.run(new CaseRunner(driver, current), current, test));
            try {
                return running.get(LONGEST_CASE_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                return new Verdict.Failed(e.getCause() == null ? e : e.getCause());
            } catch (TimeoutException e) {
                running.cancel(true);
                subject = Subject.start(topology);
                Thread.ofPlatform().daemon().name("conformance-close").start(current::close);
                return new Verdict.Failed(new AssertionError("it did not end within " + LONGEST_CASE_SECONDS + " s"));
            }
        }

        @Override
        public void close() {
            executor.shutdownNow();
            subject.close();
        }
    }

    private Verdict run(CaseRunner runner, Subject subject, TestCase test) {
        if (!byStatement.contains(test.id())) {
            return runner.run(test);
        }
        subject.setParameter("writeAtomicity", "statement");
        try {
            return runner.run(test);
        } finally {
            subject.setParameter("writeAtomicity", "command");
        }
    }

    private CompletableFuture<Verdict> verdict(TestCase test) {
        CompletableFuture<Verdict> verdict = verdicts.get(test.id());
        if (verdict == null) {
            throw new IllegalStateException("not a case of this run: " + test.id());
        }
        return verdict;
    }

    /** Waits for the case to be run. */
    public Verdict await(TestCase test) {
        return verdict(test).join();
    }
}
