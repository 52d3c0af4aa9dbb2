package dev.semel.driver.event;

import dev.semel.driver.description.ConnectionDescription;
import dev.semel.driver.error.MongoException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A command failed: with an error reply, or without a reply. */
public record CommandFailedEvent(
        long operationId,
        int requestId,
        ConnectionDescription connection,
        String databaseName,
        String commandName,
        MongoException failure,
        Duration elapsed)
        implements CommandEvent {
    public MongoException getThrowable() {
        return failure;
    }

    public long getElapsedTime(TimeUnit unit) {
        return unit.convert(elapsed);
    }
}
