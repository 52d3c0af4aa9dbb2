package dev.semel.query.pipeline.window;

import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** What one output field is computed by. Immutable. */
@FunctionalInterface
public interface WindowFunction {
    /** Its state in one partition. */
    interface Run {
        /** The value for a document; asked for one document after the other. Null if there is none. */
        @Nullable
        Value value(long current);

        /** The first document that the values after the last one given may still depend on. */
        long needed();
    }

    Run start(Partition partition);
}
