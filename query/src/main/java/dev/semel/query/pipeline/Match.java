package dev.semel.query.pipeline;

import dev.semel.query.expression.FieldSet;
import dev.semel.query.filter.Filter;
import dev.semel.wire.bson.RawDocument;
import org.jspecify.annotations.Nullable;

/** {@code $match}: the documents a filter matches. */
public record Match(Filter filter) implements Stage {
    @Override
    public Source open(Source in, Execution execution) {
        return new Source() {
            @Override
            public @Nullable RawDocument next() {
                RawDocument document = in.next();
                while (document != null && !filter.matches(document)) {
                    execution.environment().checkpoint();
                    document = in.next();
                }
                return document;
            }

            @Override
            public void close() {
                in.close();
            }
        };
    }

    @Override
    public boolean collectFields(FieldSet into) {
        FilterFields.collect(filter, into);
        return false;
    }
}
