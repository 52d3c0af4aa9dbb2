package dev.semel.query.pipeline;

import dev.semel.query.expression.FieldSet;
import dev.semel.wire.bson.RawDocument;
import org.jspecify.annotations.Nullable;

/** {@code $limit}. */
public record Limit(long count) implements Stage {
    @Override
    public Source open(Source in, Execution execution) {
        return new Source() {
            private long remaining = count;

            @Override
            public @Nullable RawDocument next() {
                if (remaining == 0) {
                    return null;
                }
                remaining--;
                return in.next();
            }

            @Override
            public void close() {
                in.close();
            }
        };
    }

    @Override
    public boolean collectFields(FieldSet into) {
        return false;
    }
}
