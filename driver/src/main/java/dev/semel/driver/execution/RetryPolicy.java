package dev.semel.driver.execution;

import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.error.MongoConnectionPoolClearedException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoSocketException;
import dev.semel.driver.event.RetryEvent.Decision;
import java.time.Duration;
import java.util.Set;
import org.bson.BsonDocument;

/**
 * The rules of retrying, as functions: which failures of which operations are worth another attempt, how many attempts there
 * are, and how long to wait between them.
 */
final class RetryPolicy {
    private static final Set<Integer> RETRYABLE_READ_CODES =
            Set.of(11600, 11602, 10107, 13435, 13436, 189, 91, 7, 6, 89, 9001, 134, 262);

    private static final long BACKOFF_MS = 100;
    private static final long BACKOFF_MAX_MS = 10_000;

    private static final long PAUSE_MS = 10;
    private static final long PAUSE_MAX_MS = 500;

    private final ExecutionSettings settings;

    RetryPolicy(ExecutionSettings settings) {
        this.settings = settings;
    }

    /** What there is to know about the attempts so far. */
    record Attempts(int made, boolean anyOverload, boolean hasTimeout, boolean inTransaction) {}

    Decision decide(Operation<?> operation, MongoException failure, Attempts attempts) {
        boolean isOverload = failure.isRetryableOverload();
        if (isOverload ? !allowsOverloadRetry(operation) : !allowsRetry(operation)) {
            return Decision.SWITCHED_OFF;
        }
        if (!isOverload && (!operation.isRetryable() || (attempts.inTransaction() && !operation.endsTransaction()))) {
            return Decision.NOT_A_RETRYABLE_OPERATION;
        }
        if (!isOverload && !isRetryable(operation, failure)) {
            return Decision.NOT_A_RETRYABLE_ERROR;
        }
        if (attempts.made() > retriesMax(attempts)) {
            return Decision.NO_ATTEMPTS_LEFT;
        }
        return isOverload ? Decision.RETRIED_AFTER_OVERLOAD : Decision.RETRIED;
    }

    private boolean allowsRetry(Operation<?> operation) {
        return operation.endsTransaction()
                || switch (operation.kind()) {
                    case READ -> settings.retryReads();
                    case WRITE -> settings.retryWrites();
                    case GENERIC -> true;
                };
    }

    private boolean allowsOverloadRetry(Operation<?> operation) {
        return switch (operation.kind()) {
            case READ -> settings.retryReads();
            case WRITE -> settings.retryWrites();
            case GENERIC -> settings.retryReads() && settings.retryWrites();
        };
    }

    /** Once a server was overloaded, the number of attempts is limited even where there is time for more. */
    private int retriesMax(Attempts attempts) {
        if (attempts.anyOverload()) {
            return settings.maxAdaptiveRetries();
        }
        return attempts.hasTimeout() ? Integer.MAX_VALUE : 1;
    }

    private static boolean isRetryable(Operation<?> operation, MongoException failure) {
        if (operation.kind() == Operation.Kind.WRITE) {
            return failure.hasErrorLabel(MongoException.RETRYABLE_WRITE_ERROR_LABEL);
        }
        return failure instanceof MongoSocketException
                || failure instanceof MongoConnectionPoolClearedException
                || (failure instanceof MongoCommandException && RETRYABLE_READ_CODES.contains(failure.getCode()));
    }

    /** Servers label their errors; errors without a reply are labelled by the driver. */
    void label(Operation<?> operation, MongoException failure, boolean inTransaction, boolean serverRecognisesRetries) {
        boolean isOurs =
                failure instanceof MongoSocketException || failure instanceof MongoConnectionPoolClearedException;
        if (!isOurs) {
            return;
        }
        boolean isWrite = operation.kind() == Operation.Kind.WRITE && operation.isRetryable();
        if (isWrite
                && (operation.endsTransaction() || (settings.retryWrites() && !inTransaction))
                && serverRecognisesRetries) {
            failure.addLabel(MongoException.RETRYABLE_WRITE_ERROR_LABEL);
        }
    }

    /** Whether the attempt may have changed something: not if it was never sent, nor if the server denies it. */
    static boolean mayHaveWritten(MongoException failure, boolean wasSent) {
        return wasSent && !failure.hasErrorLabel(MongoException.NO_WRITES_PERFORMED_LABEL);
    }

    /** Whether the retry should prefer another server: not if nothing was sent to this one. */
    static boolean tellsOfServer(MongoException failure) {
        return !(failure instanceof MongoConnectionPoolClearedException);
    }

    /**
     * The first retry follows at once, for most failures are over when another server is selected. With a timeout there are
     * more, and a server that always fails at once must not get thousands of attempts a second.
     */
    Duration pause(int retry) {
        if (retry == 1) {
            return Duration.ZERO;
        }
        double limit = Math.min(PAUSE_MAX_MS, PAUSE_MS * Math.pow(2, retry - 2));
        return Duration.ofNanos((long) ((0.5 + settings.jitter().getAsDouble() / 2) * limit * 1_000_000));
    }

    /** How long to leave an overloaded server alone before retry number {@code retry}, counted from 1. */
    Duration backOff(MongoException failure, int retry) {
        long base = BACKOFF_MS;
        if (failure instanceof MongoCommandException command) {
            BsonDocument reply = command.getResponse();
            if (reply.isNumber("baseBackoffMS")) {
                base = reply.getNumber("baseBackoffMS").longValue();
            }
        }
        double limit = Math.min(BACKOFF_MAX_MS, base * Math.pow(2, retry));
        return Duration.ofNanos((long) (settings.jitter().getAsDouble() * limit * 1_000_000));
    }
}
