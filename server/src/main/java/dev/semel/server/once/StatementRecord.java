package dev.semel.server.once;

import dev.semel.wire.CommandException;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a statement, as its client got it or would have got it. Failures, and statements for many documents, are
 * kept for tokens only: a number's statements that failed are evaluated again.
 */
public sealed interface StatementRecord {
    StatementRecord INSERTED = new Inserted();

    record Inserted() implements StatementRecord {}

    /** {@code upserted} is the new document's {@code _id}, where nothing matched and one was made. */
    record Updated(
            boolean matched, boolean modified, @Nullable Value upserted) implements StatementRecord {}

    record Deleted(boolean found) implements StatementRecord {}

    /** Any number of documents. */
    record UpdatedMany(long matched, long modified) implements StatementRecord {}

    record DeletedMany(long documents) implements StatementRecord {}

    /** {@code ofUpdate}: whether it was to update, as the answers of bulks say in their own way. */
    record Failed(CommandException error, boolean ofUpdate) implements StatementRecord {}

    /** The whole answer of a command that is one statement. */
    record Answered(RawDocument reply) implements StatementRecord {}
}
