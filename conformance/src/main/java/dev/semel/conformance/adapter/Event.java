package dev.semel.conformance.adapter;

import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * An event as the format has it.
 *
 * @param name such as {@code commandStartedEvent}
 */
public record Event(String name, BsonDocument fields) {
    public Event(String name) {
        this(name, new BsonDocument());
    }

    /** {@code command}, {@code cmap} or {@code sdam}. */
    public String type() {
        if (name.startsWith("command")) {
            return "command";
        }
        return name.startsWith("pool") || name.startsWith("connection") ? "cmap" : "sdam";
    }

    public String commandName() {
        return fields.getString("commandName", new BsonString("")).getValue();
    }

    /** Whether a handshake's text was left out because it could reveal a secret. */
    public boolean isRedacted() {
        return isEmpty("command") || isEmpty("reply");
    }

    private boolean isEmpty(String field) {
        return fields.containsKey(field) && fields.getDocument(field).isEmpty();
    }
}
