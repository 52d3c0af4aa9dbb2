package dev.semel.driver.event;

import dev.semel.driver.description.ConnectionDescription;
import org.bson.BsonDocument;

/** A command is about to be sent. */
public record CommandStartedEvent(
        long operationId,
        int requestId,
        ConnectionDescription connection,
        String databaseName,
        String commandName,
        BsonDocument command)
        implements CommandEvent {
    public BsonDocument getCommand() {
        return command;
    }
}
