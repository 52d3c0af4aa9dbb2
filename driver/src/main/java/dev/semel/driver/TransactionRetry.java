package dev.semel.driver;

import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoInterruptedException;
import dev.semel.driver.setting.TransactionOptions;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/** The loop around a whole transaction: body and commit are repeated while the server says that it may work next time. */
final class TransactionRetry {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final double BACKOFF_MS = 5;
    private static final double BACKOFF_GROWTH = 1.5;
    private static final double BACKOFF_MAX_MS = 500;
    private static final int MAX_TIME_MS_EXPIRED = 50;

    private final ClientSession session;
    private final Scope scope;
    private final DoubleSupplier jitter;
    private final long startNanos = System.nanoTime();

    TransactionRetry(ClientSession session, Scope scope, DoubleSupplier jitter) {
        this.session = session;
        this.scope = scope;
        this.jitter = jitter;
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
                if (mayTryAgain(e, MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)) {
                    pause(attempt, e);
                    continue;
                }
                throw e;
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
                        && mayTryAgain(e, MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL)) {
                    continue;
                }
                if (mayTryAgain(e, MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)) {
                    pause(attempt, e);
                    return false;
                }
                throw e;
            }
        }
    }

    private boolean mayTryAgain(RuntimeException e, String label) {
        return e instanceof MongoException mongo
                && mongo.hasErrorLabel(label)
                && elapsed().compareTo(limit()) < 0;
    }

    private Duration limit() {
        Duration timeout = scope.timeout();
        return timeout == null || timeout.isZero() ? LIMIT : timeout;
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    private void pause(int attempt, RuntimeException cause) {
        double limitMs = Math.min(BACKOFF_MAX_MS, BACKOFF_MS * Math.pow(BACKOFF_GROWTH, attempt));
        var pause = Duration.ofNanos((long) (jitter.getAsDouble() * limitMs * 1_000_000));
        if (elapsed().plus(pause).compareTo(limit()) >= 0) {
            throw cause;
        }
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            var interrupted = new MongoInterruptedException("Interrupted between two transactions", e);
            interrupted.addSuppressed(cause);
            throw interrupted;
        }
    }
}
