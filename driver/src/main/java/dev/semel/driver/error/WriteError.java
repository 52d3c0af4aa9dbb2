package dev.semel.driver.error;

import org.bson.BsonDocument;

/** Why one statement of a write was not done. */
public record WriteError(int code, String message, BsonDocument details) {}
