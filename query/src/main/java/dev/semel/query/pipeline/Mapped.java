package dev.semel.query.pipeline;

import dev.semel.wire.bson.RawDocument;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A source that makes one document of each, and holds it until it is asked for the next. */
final class Mapped implements Source {
    private final Source in;
    private final Execution execution;
    private final UnaryOperator<RawDocument> function;
    private long held;

    Mapped(Source in, Execution execution, UnaryOperator<RawDocument> function) {
        this.in = in;
        this.execution = execution;
        this.function = function;
    }

    @Override
    public @Nullable RawDocument next() {
        held = execution.holdInstead(held, 0);
        RawDocument document = in.next();
        if (document == null) {
            return null;
        }
        RawDocument result = function.apply(document);
        held = execution.holdInstead(held, result.length());
        return result;
    }

    @Override
    public void close() {
        in.close();
    }
}
