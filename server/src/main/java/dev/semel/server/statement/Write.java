package dev.semel.server.statement;

import dev.semel.query.value.Collation;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One statement that writes, as the client sent it. Filters and modifications stay unparsed until the statement runs,
 * because a mistake in them fails that statement and not the command.
 */
public sealed interface Write {
    Namespace collection();

    record Insert(Namespace collection, RawDocument document, Bypass bypass) implements Write {}

    /**
     * Changes one document or all that match.
     *
     * @param modification a document (replacement or operators) or an array (a pipeline)
     * @param sort which of several documents that match is meant
     * @param constants variables for a pipeline
     * @param let variables of the whole command
     * @param collation how texts compare; null for as the collection has it
     * @param suppliedNew what an upsert inserts instead of deriving it from filter and modification; null if it derives
     */
    record Update(
            Namespace collection,
            RawDocument filter,
            Value modification,
            boolean multi,
            boolean upsert,
            List<RawDocument> arrayFilters,
            @Nullable Value hint,
            RawDocument sort,
            RawDocument constants,
            RawDocument let,
            @Nullable RawDocument suppliedNew,
            Bypass bypass,
            @Nullable Collation collation)
            implements Write {}

    record Delete(
            Namespace collection,
            RawDocument filter,
            boolean multi,
            @Nullable Value hint,
            RawDocument sort,
            RawDocument let,
            @Nullable Collation collation)
            implements Write {}
}
