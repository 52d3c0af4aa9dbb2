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
        Duration elapsed) {
    public String getCommandName() {
        return commandName;
    }

    public String getDatabaseName() {
        return databaseName;
    }

    public long getOperationId() {
        return operationId;
    }

    public int getRequestId() {
        return requestId;
    }

    public BsonDocument getResponse() {
        return response;
    }

    public long getElapsedTime(TimeUnit unit) {
        return unit.convert(elapsed);
    }
}
