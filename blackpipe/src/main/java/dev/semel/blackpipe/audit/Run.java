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
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The operation once, behind a proxy of its own, on a database of its own. */
final class Run {
    /**
     * What it came to.
     *
     * @param ended when the operation did
     * @param struck whether the plan's rules met their messages
     * @param error empty if the operation went well
     */
    record Outcome(
            List<Observation> messages, Duration took, Instant ended, String error, Effect effect, boolean struck) {}

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

    Outcome on(String database, Plan plan) throws AuditException {
        TargetUri direct = target.database(database);
        List<Observation> messages = new CopyOnWriteArrayList<>();
        try (Proxy proxy = Proxy.start(target.toString(), plan, Listening.on(0), time)) {
            proxy.observe(messages::add);
            prepare(direct);
            String uri = withTimeouts(proxy.clientUri().database(database)).toString();
            long began = time.nanos();
            String error = error(uri);
            Duration took = Duration.ofNanos(time.nanos() - began);
            Instant ended = time.now();
            boolean struck = plan.standing().stream().allMatch(each -> each.struck() > 0);
            Effect effect = effect(direct);
            messages.sort(Comparator.comparingLong(Observation::number));
            return new Outcome(List.copyOf(messages), took, ended, error, effect, struck);
        } catch (IOException e) {
            throw new AuditException(String.valueOf(e.getMessage()), e);
        } finally {
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

    private String error(String uri) {
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            audit.operation().run(uri);
            return true;
        });
        Thread.ofVirtual().name("audited").start(task);
        try {
            task.get(audit.limit().toMillis(), TimeUnit.MILLISECONDS);
            return "";
        } catch (TimeoutException e) {
            task.cancel(true);
            return "it did not end within " + audit.limit().toMillis() + " ms";
        } catch (ExecutionException e) {
            // Whoever wrote a program in another language does not know our exceptions.
            return e.getCause() instanceof ProgramFailure failure
                    ? String.valueOf(failure.getMessage())
                    : String.valueOf(e.getCause());
        } catch (InterruptedException e) {
            task.cancel(true);
            Thread.currentThread().interrupt();
            return "interrupted";
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
