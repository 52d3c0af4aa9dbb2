package dev.semel.driver.event;

import dev.semel.driver.description.ConnectionDescription;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;

/** A command succeeded. */
public record CommandSucceededEvent(
        long operationId,
        int requestId,
        ConnectionDescription connection,
        String databaseName,
        String commandName,
        BsonDocument response,
        Duration elapsed)
        implements CommandEvent {
    public BsonDocument getResponse() {
        return response;
    }

    public long getElapsedTime(TimeUnit unit) {
        return unit.convert(elapsed);
    }
}
