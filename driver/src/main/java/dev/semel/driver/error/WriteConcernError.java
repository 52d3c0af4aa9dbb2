package dev.semel.driver.error;

import org.bson.BsonDocument;

/** The write was done, but not as durably as it was asked for. */
public record WriteConcernError(int code, String codeName, String message, BsonDocument details) {}
