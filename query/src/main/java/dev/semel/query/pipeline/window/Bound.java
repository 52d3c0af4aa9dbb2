package dev.semel.query.pipeline.window;

import dev.semel.wire.bson.Value;

/** One end of a window. */
public sealed interface Bound {
    /** That of the partition. */
    record Unbounded() implements Bound {}

    /** The current document. */
    record Current() implements Bound {}

    /** So many documents away, or so far in value or time; negative before the current document. */
    record Offset(Value distance) implements Bound {}
}
