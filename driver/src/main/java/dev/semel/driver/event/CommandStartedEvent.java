package dev.semel.driver.event;

import dev.semel.driver.description.ConnectionDescription;
import org.bson.BsonDocument;

/** A command is about to be sent. Each attempt of an operation has its own request id; all share the operation id. */
public record CommandStartedEvent(
        long operationId,
        int requestId,
        ConnectionDescription connection,
        String databaseName,
        String commandName,
        BsonDocument command) {
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

    public BsonDocument getCommand() {
        return command;
    }
}
