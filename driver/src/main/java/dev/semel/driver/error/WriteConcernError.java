package dev.semel.driver.error;

import org.bson.BsonDocument;

/** The write was applied, but its write concern was not satisfied. */
public record WriteConcernError(int code, String codeName, String message, BsonDocument details) {}
