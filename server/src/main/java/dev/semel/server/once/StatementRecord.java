package dev.semel.server.once;

import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** What became of a statement that succeeded, as its client was or would have been told. Failures leave none. */
public sealed interface StatementRecord {
    StatementRecord INSERTED = new Inserted();

    record Inserted() implements StatementRecord {}

    /** {@code upserted} is the new document's {@code _id}, where nothing matched and one was made. */
    record Updated(
            boolean matched, boolean modified, @Nullable Value upserted) implements StatementRecord {}

    record Deleted(boolean found) implements StatementRecord {}

    /** The whole answer of a command that is one statement. */
    record Answered(RawDocument reply) implements StatementRecord {}
}
