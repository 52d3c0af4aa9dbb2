package dev.semel.conformance.adapter;

import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * An operation's arguments.
 *
 * @param values without those that name entities
 * @param callback what {@code withTransaction} runs
 */
public record Arguments(
        BsonDocument values,
        @Nullable DrivenSession session,
        @Nullable Runnable callback) {
    public static final Arguments NONE = new Arguments(new BsonDocument(), null, null);

    public @Nullable BsonValue find(String name) {
        return values.get(name);
    }

    public BsonValue get(String name) {
        BsonValue value = values.get(name);
        if (value == null) {
            throw new Unsupported("an operation without the argument '" + name + "'");
        }
        return value;
    }

    public BsonDocument document(String name) {
        return get(name).asDocument();
    }

    public String string(String name) {
        return get(name).asString().getValue();
    }
}
