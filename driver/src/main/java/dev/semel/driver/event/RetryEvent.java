package dev.semel.driver.event;

import dev.semel.driver.error.MongoException;
import dev.semel.driver.setting.ServerAddress;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of an operation has failed, and this is what becomes of it. The server is null where none could be selected;
 * the transaction number is -1 where the command carried none.
 */
public record RetryEvent(
        long operationId,
        String commandName,
        int attempt,
        @Nullable ServerAddress server,
        MongoException failure,
        long txnNumber,
        Decision decision) {
    /** Why the operation is tried again, or why not. */
    public enum Decision {
        RETRIED,
        RETRIED_AFTER_OVERLOAD,
        SWITCHED_OFF,
        NOT_A_RETRYABLE_OPERATION,
        NOT_A_RETRYABLE_ERROR,
        NO_ATTEMPTS_LEFT,
        NO_TIME_LEFT;

        public boolean isRetry() {
            return this == RETRIED || this == RETRIED_AFTER_OVERLOAD;
        }
    }
}
