package dev.semel.driver.event;

import dev.semel.driver.description.ConnectionDescription;
import dev.semel.driver.error.MongoException;
import java.time.Duration;

/** A command was answered with an error, or not at all. */
public record CommandFailedEvent(
        long operationId,
        int requestId,
        ConnectionDescription connection,
        String databaseName,
        String commandName,
        MongoException failure,
        Duration elapsed) {}
