package dev.semel.query.pipeline;

import dev.semel.query.expression.FieldSet;
import dev.semel.wire.bson.RawDocument;
import org.jspecify.annotations.Nullable;

/** {@code $skip}. */
public record Skip(long count) implements Stage {
    @Override
    public Source open(Source in, Execution execution) {
        return new Source() {
            private long remaining = count;

            @Override
            public @Nullable RawDocument next() {
                while (remaining > 0) {
                    remaining--;
                    execution.environment().checkpoint();
                    if (in.next() == null) {
                        remaining = 0;
                        return null;
                    }
                }
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
