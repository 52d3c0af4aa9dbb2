package dev.semel.driver.event;

import dev.semel.driver.error.MongoException;
import dev.semel.driver.setting.ServerAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of an operation of which at least one attempt has failed, and what becomes of it. The server is null where none
 * could be selected, the failure is null for the attempt that succeeded, and the transaction id is null where the command
 * carried none.
 */
public record RetryEvent(
        long operationId,
        String databaseName,
        String commandName,
        int attempt,
        @Nullable ServerAddress server,
        @Nullable MongoException failure,
        @Nullable TransactionId transactionId,
        Decision decision,
        Duration elapsed) {
    /** Why the operation is retried, or not. */
    public enum Decision {
        SUCCEEDED("the attempt succeeded"),
        RETRIED("the failure may be gone with the next attempt"),
        RETRIED_AFTER_OVERLOAD("the server was overloaded and did nothing; the next attempt comes after a pause"),
        SWITCHED_OFF("retryReads or retryWrites is off"),
        NOT_A_RETRYABLE_OPERATION("repeating this operation might apply it twice"),
        NOT_A_RETRYABLE_ERROR("the next attempt would fail in the same way"),
        NO_SERVER("no server could be selected in time"),
        NO_ATTEMPTS_LEFT("it has been tried often enough"),
        NO_TIME_LEFT("the timeout of the operation ends before the next attempt");

        private final String reason;

        Decision(String reason) {
            this.reason = reason;
        }

        public String reason() {
            return reason;
        }

        public boolean isRetry() {
            return this == RETRIED || this == RETRIED_AFTER_OVERLOAD;
        }
    }
}
