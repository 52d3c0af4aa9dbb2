package dev.semel.driver;

import dev.semel.driver.connection.Deadline;
import dev.semel.driver.connection.Time;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoOperationTimeoutException;
import dev.semel.driver.error.MongoTimeoutException;
import dev.semel.driver.execution.Pause;
import dev.semel.driver.setting.TransactionOptions;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/** The retry loop of {@code withTransaction}: repeats body and commit after transient errors. */
final class TransactionRetry {
    /** Where no timeout is set for the whole. */
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private static final double BACKOFF_MS = 5;
    private static final double BACKOFF_GROWTH = 1.5;
    private static final double BACKOFF_MAX_MS = 500;
    private static final int MAX_TIME_MS_EXPIRED = 50;

    private final ClientSession session;
    private final Deadline deadline;
    private final Time time;
    private final DoubleSupplier jitter;
    private final long startNanos;

    /** The limit is the given deadline, otherwise two minutes. */
    TransactionRetry(ClientSession session, Deadline deadline, Time time, DoubleSupplier jitter) {
        this.session = session;
        this.deadline = deadline;
        this.time = time;
        this.jitter = jitter;
        startNanos = time.nanos();
    }

    <T> T run(TransactionBody<T> body, TransactionOptions options) {
        for (int attempt = 0; ; attempt++) {
            session.startTransaction(options);
            T result;
            try {
                result = body.execute();
            } catch (RuntimeException e) {
                if (session.hasActiveTransaction()) {
                    session.abortTransaction();
                }
                if (!(e instanceof MongoException failure)
                        || !failure.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)) {
                    throw e;
                }
                pause(attempt, failure);
                continue;
            }
            if (!session.hasActiveTransaction() || committed(attempt)) {
                return result;
            }
        }
    }

    /** False when the whole transaction has to be run again. */
    private boolean committed(int attempt) {
        while (true) {
            try {
                session.commitTransaction();
                return true;
            } catch (MongoException e) {
                if (e.getCode() != MAX_TIME_MS_EXPIRED
                        && e.hasErrorLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL)) {
                    checkTimeLeft(Duration.ZERO, e);
                } else if (e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)) {
                    pause(attempt, e);
                    return false;
                } else {
                    throw e;
                }
            }
        }
    }

    private void checkTimeLeft(Duration pause, MongoException failure) {
        long leftNanos = deadline.isGiven() ? deadline.remainingNanos() : LIMIT.toNanos() - (time.nanos() - startNanos);
        if (leftNanos <= pause.toNanos()) {
            throw timeout(failure);
        }
    }

    /** Has the labels of the last failure, so that the application can go on retrying. */
    private MongoException timeout(MongoException failure) {
        String text = "There is no time left to try the transaction again: " + failure.getMessage();
        var timeout = deadline.isGiven()
                ? new MongoOperationTimeoutException(text, failure)
                : new MongoTimeoutException(text, failure);
        failure.getErrorLabels().forEach(timeout::addLabel);
        return timeout;
    }

    private void pause(int attempt, MongoException cause) {
        double limitMs = Math.min(BACKOFF_MAX_MS, BACKOFF_MS * Math.pow(BACKOFF_GROWTH, attempt + 1));
        var pause = Duration.ofNanos((long) (jitter.getAsDouble() * limitMs * 1_000_000));
        checkTimeLeft(pause, cause);
        Pause.between("transactions", pause, time.sleeper(), () -> cause);
    }
}
