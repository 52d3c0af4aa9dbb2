package dev.semel.server.statement;

import dev.semel.wire.CommandException;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** What became of one statement. */
public sealed interface Outcome {
    Outcome INSERTED = new Inserted();

    record Inserted() implements Outcome {}

    /** {@code upserted} is the new document's {@code _id}, where nothing matched and one was made. */
    record Updated(long matched, long modified, @Nullable Value upserted) implements Outcome {}

    record Deleted(long documents) implements Outcome {}

    /** It failed and left nothing. */
    record Failed(CommandException error) implements Outcome {}
}
