package dev.semel.driver.event;

import dev.semel.driver.error.MongoException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All attempts of an operation of which at least one has failed, in order. If no exception was raised, a retry has
 * succeeded.
 */
public record RetryReport(
        long operationId,
        String databaseName,
        String commandName,
        List<RetryEvent> attempts,
        @Nullable MongoException raised) {
    public RetryReport {
        attempts = List.copyOf(attempts);
    }

    public boolean isRescued() {
        return raised == null;
    }

    /** Whether there was more than one attempt. */
    public boolean isRetried() {
        return attempts.size() > 1;
    }
}
