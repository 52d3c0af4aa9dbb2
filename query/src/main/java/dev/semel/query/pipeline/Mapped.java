package dev.semel.query.pipeline;

import dev.semel.wire.bson.RawDocument;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A source that makes one document of each. */
record Mapped(Source in, UnaryOperator<RawDocument> function) implements Source {
    @Override
    public @Nullable RawDocument next() {
        RawDocument document = in.next();
        return document == null ? null : function.apply(document);
    }

    @Override
    public void close() {
        in.close();
    }
}
