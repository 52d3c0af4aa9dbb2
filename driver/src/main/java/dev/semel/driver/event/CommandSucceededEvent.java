package dev.semel.driver.event;

import dev.semel.driver.description.ConnectionDescription;
import java.time.Duration;
import org.bson.BsonDocument;

/** A command was answered with ok. */
public record CommandSucceededEvent(
        long operationId,
        int requestId,
        ConnectionDescription connection,
        String databaseName,
        String commandName,
        BsonDocument response,
        Duration elapsed) {}
