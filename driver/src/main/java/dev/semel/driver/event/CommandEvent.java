package dev.semel.driver.event;

import dev.semel.driver.description.ConnectionDescription;

/** An event of a command. Each attempt of an operation has its own request id; all share the operation id. */
public sealed interface CommandEvent permits CommandStartedEvent, CommandSucceededEvent, CommandFailedEvent {
    long operationId();

    int requestId();

    ConnectionDescription connection();

    String databaseName();

    String commandName();

    default String getCommandName() {
        return commandName();
    }

    default String getDatabaseName() {
        return databaseName();
    }

    default long getOperationId() {
        return operationId();
    }

    default int getRequestId() {
        return requestId();
    }
}
