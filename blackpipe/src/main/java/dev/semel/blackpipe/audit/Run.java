package dev.semel.blackpipe.audit;

import dev.semel.blackpipe.fault.Plan;
import dev.semel.blackpipe.proxy.Listening;
import dev.semel.blackpipe.proxy.Observation;
import dev.semel.blackpipe.proxy.Proxy;
import dev.semel.blackpipe.proxy.TargetUri;
import dev.semel.blackpipe.proxy.Time;
import dev.semel.wire.bson.BsonWriter;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** One run of the operation, or of copies of it. Each copy has its own proxy; the run has its own database. */
final class Run {
    /**
     * The outcome of a run.
     *
     * @param ended when the operation did
     * @param hasFault whether all faults of the plan were injected
     * @param error empty if every copy succeeded
     * @param succeeded how many copies succeeded
     */
    record Outcome(
            List<Observation> messages,
            Duration took,
            Instant ended,
            String error,
            int succeeded,
            Effect effect,
            boolean hasFault) {}

    private static final Comparator<Observation> BY_NUMBER = Comparator.comparingLong(Observation::number);

    /** Each proxy has its own counters. */
    private static final Comparator<Observation> BY_TIME =
            Comparator.comparing(Observation::arrived).thenComparing(BY_NUMBER);

    private final Audit audit;
    private final TargetUri target;
    private final Time time;

    Run(Audit audit, TargetUri target, Time time) {
        this.audit = audit;
        this.target = target;
        this.time = time;
    }

    /** Fails with the reason why the server cannot be used. */
    void reach() throws AuditException {
        try {
            Probe.connect(target).close();
        } catch (IOException e) {
            throw new AuditException(String.valueOf(e.getMessage()), e);
        }
    }

    /** One copy for each plan, all at the same time. */
    Outcome on(String database, Plan... plans) throws AuditException {
        return on(database, List.of(plans), true);
    }

    /** Two copies without faults, one after the other. */
    Outcome inSequence(String database) throws AuditException {
        return on(database, List.of(Plan.of(), Plan.of()), false);
    }

    private Outcome on(String database, List<Plan> plans, boolean atOnce) throws AuditException {
        TargetUri direct = target.database(database);
        List<Copy> copies = new ArrayList<>();
        try {
            for (Plan each : plans) {
                copies.add(new Copy(copies.size(), Proxy.start(target.toString(), each, Listening.on(0), time)));
            }
            prepare(direct);
            long began = time.nanos();
            for (Copy each : copies) {
                String uri = withTimeouts(each.proxy().clientUri().database(database))
                        .toString();
                each.start(() -> audit.operation().run(uri));
                if (!atOnce) {
                    each.await(audit.limit());
                }
            }
            if (atOnce) {
                copies.forEach(each -> each.await(audit.limit()));
            }
            Duration took = Duration.ofNanos(time.nanos() - began);
            Instant ended = time.now();
            return new Outcome(
                    copies.stream()
                            .flatMap(each -> each.messages().stream())
                            .sorted(copies.size() == 1 ? BY_NUMBER : BY_TIME)
                            .toList(),
                    took,
                    ended,
                    copies.stream()
                            .map(Copy::error)
                            .filter(each -> !each.isEmpty())
                            .collect(Collectors.joining("\n")),
                    (int) copies.stream().filter(each -> each.error().isEmpty()).count(),
                    effect(direct),
                    copies.stream().allMatch(Copy::hasFault));
        } catch (IOException e) {
            throw new AuditException(String.valueOf(e.getMessage()), e);
        } finally {
            copies.forEach(Copy::close);
            drop(database);
        }
    }

    private TargetUri withTimeouts(TargetUri uri) {
        Timing timing = audit.timing();
        TargetUri selecting = uri.withDefault(
                "serverSelectionTimeoutMS",
                Long.toString(timing.selectionTimeout().toMillis()));
        return audit.stalls() && uri.option("timeoutMS").isEmpty()
                ? selecting.withDefault(
                        "socketTimeoutMS", Long.toString(timing.socketTimeout().toMillis()))
                : selecting;
    }

    private void prepare(TargetUri direct) throws AuditException {
        try {
            audit.setup().run(direct.toString());
        } catch (Exception e) {
            throw new AuditException("the setup failed: " + e.getMessage(), e);
        }
    }

    private Effect effect(TargetUri direct) throws AuditException {
        try {
            return new Effect.Times(audit.invariant().timesApplied(direct.toString()));
        } catch (PartlyApplied e) {
            return new Effect.Part(String.valueOf(e.getMessage()));
        } catch (Exception e) {
            throw new AuditException("the check failed: " + e.getMessage(), e);
        }
    }

    private void drop(String database) throws AuditException {
        try (Probe probe = Probe.connect(target)) {
            probe.run(database, new BsonWriter().put("dropDatabase", 1).finish());
        } catch (IOException e) {
            throw new AuditException("cannot drop the database " + database + ": " + e.getMessage(), e);
        }
    }
}
