package dev.semel.conformance.adapter;

import org.bson.BsonDocument;

/**
 * A structured log message.
 *
 * @param level such as {@code debug}
 * @param component such as {@code command}
 * @param data {@code message} and the fields of the message
 */
public record LogEntry(String level, String component, BsonDocument data) {}
