package dev.semel.driver.execution;

import dev.semel.driver.connection.Deadline;
import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoOperationTimeoutException;
import dev.semel.driver.error.MongoSocketReadTimeoutException;
import dev.semel.driver.error.MongoSocketWriteTimeoutException;

/** Failures as users see them, with advice on what to do. */
final class UserView {
    private static final int TRANSACTION_NUMBERS_NOT_SUPPORTED = 20;
    private static final int MAX_TIME_MS_EXPIRED = 50;

    private UserView() {}

    /** There was no time for more than this. */
    static MongoException timeout(MongoException e) {
        if (e instanceof MongoOperationTimeoutException) {
            return e;
        }
        var timeout = new MongoOperationTimeoutException("Operation exceeded the timeout limit: " + e.getMessage(), e);
        e.getErrorLabels().forEach(timeout::addLabel);
        return timeout;
    }

    static MongoException of(MongoException e, Deadline deadline, boolean isOfTransaction) {
        boolean isTimeout = e instanceof MongoSocketReadTimeoutException
                || e instanceof MongoSocketWriteTimeoutException
                || e.getCode() == MAX_TIME_MS_EXPIRED;
        if (isTimeout && deadline.isSet()) {
            return timeout(e);
        }
        if (e instanceof MongoCommandException command
                && e.getCode() == TRANSACTION_NUMBERS_NOT_SUPPORTED
                && !isOfTransaction
                && command.getErrorMessage().startsWith("Transaction numbers")) {
            return new MongoCommandException(
                    command.getCode(),
                    command.getErrorCodeName(),
                    "This MongoDB deployment does not support retryable writes. Please add retryWrites=false to"
                            + " your connection string.",
                    command.getResponse(),
                    command.getServerAddress());
        }
        return e;
    }
}
