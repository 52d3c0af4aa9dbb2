package dev.semel.blackpipe.audit;

import dev.semel.blackpipe.fault.Plan;
import dev.semel.blackpipe.fault.Rule;
import dev.semel.blackpipe.proxy.TargetUri;
import dev.semel.blackpipe.proxy.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs an operation once for each message and each fault.
 *
 * <pre>{@code
 * var report = Audit.of(uri -> countVisit(uri)).invariant(uri -> visits(uri)).target(server.uri()).run();
 * assertThat(report.isCorrect()).isTrue();
 * }</pre>
 *
 * <p>Each run has its own database, named in its connection string, so runs can go on in parallel.
 */
public final class Audit {
    private static final Duration SELECTION_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Operation operation;
    private @Nullable Invariant invariant;
    private @Nullable TargetUri target;
    private String name = "operation";
    private Operation setup = uri -> {};
    private Set<Kind> faults = EnumSet.allOf(Kind.class);
    private Duration selectionTimeout = SELECTION_TIMEOUT;
    private Duration socketTimeout = SELECTION_TIMEOUT;
    private Duration limit = LIMIT;
    private int parallel = Math.max(2, Runtime.getRuntime().availableProcessors());
    private boolean background = true;
    private BiConsumer<Integer, Integer> progress = (done, all) -> {};

    private Audit(Operation operation) {
        this.operation = operation;
    }

    public static Audit of(Operation operation) {
        return new Audit(operation);
    }

    /** The check that counts how many times the effect is in the data; the verdict depends on it. */
    public Audit invariant(Invariant check) {
        invariant = check;
        return this;
    }

    /** The server. */
    public Audit target(String uri) {
        target = TargetUri.parse(uri);
        return this;
    }

    public Audit named(String chosen) {
        name = chosen;
        return this;
    }

    /** Runs before each run of the operation, directly on the server. */
    public Audit setup(Operation before) {
        setup = before;
        return this;
    }

    /** The kinds of faults to try; all by default. */
    public Audit faults(Kind... chosen) {
        faults = EnumSet.noneOf(Kind.class);
        faults.addAll(List.of(chosen));
        return this;
    }

    /** The driver's socket timeout, unless the program sets one; a stall lasts longer. */
    public Audit socketTimeout(Duration chosen) {
        socketTimeout = chosen;
        return this;
    }

    /** The driver's server selection timeout; a run that takes longer than one of these wastes time. */
    public Audit selectionTimeout(Duration chosen) {
        selectionTimeout = chosen;
        return this;
    }

    /** Stops a run that takes longer. */
    public Audit limit(Duration chosen) {
        limit = chosen;
        return this;
    }

    /** The number of parallel runs. */
    public Audit parallel(int chosen) {
        parallel = chosen;
        return this;
    }

    /** Leaves out the faults of messages that the driver sends by itself. */
    public Audit withoutBackground() {
        background = false;
        return this;
    }

    /** Receives the number of finished runs and of all runs. */
    public Audit progress(BiConsumer<Integer, Integer> told) {
        progress = told;
        return this;
    }

    Operation operation() {
        return operation;
    }

    Operation setup() {
        return setup;
    }

    Invariant invariant() {
        return given(invariant, "invariant");
    }

    Timing timing() {
        return new Timing(selectionTimeout, socketTimeout);
    }

    /** Whether a run may depend on the driver's socket timeout. */
    boolean stalls() {
        return faults.contains(Kind.STALL);
    }

    Duration limit() {
        return limit;
    }

    private static <T> T given(@Nullable T part, String called) {
        if (part == null) {
            throw new IllegalStateException("an audit needs its " + called);
        }
        return part;
    }

    /** Returns when every run is over. */
    public AuditReport run() throws AuditException, InterruptedException {
        Time time = Time.ofSystem();
        Run run = new Run(this, given(target, "target"), time);
        run.reach();
        String base = "audit_" + Long.toString(time.nanos(), Character.MAX_RADIX) + "_";
        Run.Outcome first = clean(run, base + "a");
        Run.Outcome second = clean(run, base + "b");
        boolean deterministic = Messages.outline(first.messages()).equals(Messages.outline(second.messages()));
        List<FaultPoint> points = Messages.points(second.messages(), faults).stream()
                .filter(each -> background || !each.background())
                .toList();
        // What two copies come to one after the other is what they should come to at the same time.
        Run.Outcome inSequence = faults.contains(Kind.TWO_COPIES) ? run.inSequence(base + "c") : second;
        Judgement judgement = new Judgement(second, inSequence.effect(), timing());
        List<Finding> findings = findings(run, base, points, judgement);
        return new AuditReport(name, second.messages(), second.took(), deterministic, findings);
    }

    private Run.Outcome clean(Run run, String database) throws AuditException {
        Run.Outcome outcome = run.on(database, Plan.of());
        if (!outcome.error().isEmpty()) {
            throw new AuditException("the operation fails although nothing went wrong: " + outcome.error(), null);
        }
        boolean elsewhere = outcome.messages().stream()
                .filter(each -> !Messages.isBackground(each))
                .noneMatch(each -> each.request().database().equals(database));
        if (elsewhere) {
            throw new AuditException(
                    "the operation sends nothing to the database of its connection string (this time " + database
                            + "), which is a fresh one for each run: it must connect to the URI it is given and use"
                            + " that database",
                    null);
        }
        return switch (outcome.effect()) {
            case Effect.Times(long count) when count == 1 -> outcome;
            case Effect.Times(long count) -> throw wrong(count + " times and not once");
            case Effect.Part(String found) -> throw wrong("in part: " + found);
        };
    }

    private static AuditException wrong(String effect) {
        return new AuditException(
                "without any fault, the check finds the effect " + effect
                        + ". Either the operation or the check is wrong",
                null);
    }

    private List<Finding> findings(Run run, String base, List<FaultPoint> points, Judgement judgement)
            throws AuditException, InterruptedException {
        AtomicInteger done = new AtomicInteger();
        List<Future<Finding>> pending = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(parallel)) {
            for (FaultPoint point : points) {
                String database = base + pending.size();
                pending.add(threads.submit(() -> {
                    Finding finding = finding(run, database, point, judgement);
                    progress.accept(done.incrementAndGet(), points.size());
                    return finding;
                }));
            }
            List<Finding> findings = new ArrayList<>();
            for (Future<Finding> each : pending) {
                findings.add(each.get());
            }
            for (int i = 0; i < findings.size(); i++) {
                if (judgement.isDoubtful(findings.get(i))) {
                    findings.set(i, finding(run, base + "again" + i, points.get(i), judgement));
                }
            }
            return findings;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof AuditException audit
                    ? audit
                    : new AuditException("a run failed: " + e.getCause(), e.getCause());
        }
    }

    private Finding finding(Run run, String database, FaultPoint point, Judgement judgement) throws AuditException {
        Rule rule = point.rule(database, timing());
        return judgement.of(
                point,
                point.kind() == Kind.TWO_COPIES
                        ? run.on(database, Plan.of(rule), Plan.of(rule))
                        : run.on(database, Plan.of(rule)));
    }
}
