package dev.semel.query.pipeline;

import dev.semel.query.expression.FieldSet;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import org.jspecify.annotations.Nullable;

/** {@code $count}: one document with the number of documents; none if there are none. */
public record Count(String field) implements Stage {
    @Override
    public Source open(Source in, Execution execution) {
        return new Source() {
            private boolean done;

            @Override
            public @Nullable RawDocument next() {
                if (done) {
                    return null;
                }
                done = true;
                long count = 0;
                while (in.next() != null) {
                    execution.environment().checkpoint();
                    count++;
                }
                return count == 0 ? null : result(count);
            }

            @Override
            public void close() {
                in.close();
            }
        };
    }

    private RawDocument result(long count) {
        BsonWriter writer = new BsonWriter(64);
        return ((int) count == count ? writer.put(field, (int) count) : writer.put(field, count)).finish();
    }

    @Override
    public boolean collectFields(FieldSet into) {
        return true;
    }
}
