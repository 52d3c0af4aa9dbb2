package dev.semel.driver.execution;

import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoInterruptedException;
import dev.semel.driver.event.RetryEvent;
import dev.semel.driver.event.RetryEvent.Decision;
import dev.semel.driver.event.RetryReport;
import dev.semel.driver.event.TransactionId;
import dev.semel.driver.setting.ServerAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The attempts of an operation from its first failure on; an operation without failures has none. */
final class History {
    /** How many attempts are reported, and attached to the exception, however many there were. */
    private static final int KEPT_MAX = 20;

    private final Operation<?> operation;
    private final long operationId;
    private final ExecutionContext context;
    private final List<RetryEvent> attempts = new ArrayList<>();
    private int made;
    private boolean isRetried;
    private boolean anyOverload;
    private @Nullable MongoException raised;

    History(Operation<?> operation, long operationId, ExecutionContext context) {
        this.operation = operation;
        this.operationId = operationId;
        this.context = context;
    }

    /** How an attempt went, but for what follows from it. */
    record Ended(@Nullable ServerAddress server, @Nullable TransactionId transactionId, Duration elapsed) {}

    /** Keeps the failure to be raised: the newest that may have written, else the first. */
    void failed(MongoException e, boolean wasSent) {
        anyOverload |= e.isRetryableOverload();
        // Who interrupts a thread waits for it to notice, whatever went wrong before.
        boolean isInterruption = e instanceof MongoInterruptedException;
        if (raised == null || isInterruption || RetryPolicy.mayHaveWritten(e, wasSent)) {
            raised = e;
        }
    }

    boolean anyOverload() {
        return anyOverload;
    }

    /** The failure that is raised if no later one takes precedence. */
    MongoException raised() {
        return Objects.requireNonNull(raised);
    }

    int made() {
        return made;
    }

    void add(Ended attempt, @Nullable MongoException failure, Decision decision) {
        var event = new RetryEvent(
                operationId,
                operation.database(),
                operation.commandName(),
                ++made,
                attempt.server(),
                failure,
                attempt.transactionId(),
                decision,
                attempt.elapsed());
        if (attempts.size() == KEPT_MAX) {
            // The first ones show how it began, the last ones how it went on.
            attempts.remove(KEPT_MAX / 2);
        }
        attempts.add(event);
        isRetried |= decision.isRetry();
        if (decision.isRetry()) {
            context.counters().retry(made);
        }
        context.monitoring().attemptEnded(event);
    }

    void rescued(Ended attempt) {
        add(attempt, null, Decision.SUCCEEDED);
        context.counters().rescued();
        report(null);
    }

    /** The exception to throw; the others hang on it. */
    MongoException givenUp() {
        return givenUp(UnaryOperator.identity());
    }

    MongoException givenUp(UnaryOperator<MongoException> view) {
        if (isRetried) {
            context.counters().givenUp();
        }
        MongoException last = raised();
        for (RetryEvent each : attempts) {
            MongoException other = each.failure();
            if (other != null && other != last) {
                last.addSuppressed(other);
            }
        }
        MongoException seen = view.apply(last);
        report(seen);
        return seen;
    }

    private void report(@Nullable MongoException last) {
        if (context.monitoring().hasRetryListeners()) {
            context.monitoring()
                    .operationEnded(new RetryReport(
                            operationId, operation.database(), operation.commandName(), attempts, last));
        }
    }
}
