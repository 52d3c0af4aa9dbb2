package dev.semel.query.pipeline.window;

import dev.semel.query.expression.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Which documents around the current one belong to it. */
public sealed interface Window {
    Bound lower();

    Bound upper();

    /** By their number. */
    record Documents(Bound lower, Bound upper) implements Window {}

    /** By the value of the field they are sorted by, which is a number, or with a unit a date. */
    record Range(Bound lower, Bound upper, @Nullable TimeUnit unit) implements Window {}

    /** The whole partition. */
    static Window whole() {
        return new Documents(new Bound.Unbounded(), new Bound.Unbounded());
    }

    /** Whether documents never leave it while it moves on. */
    default boolean isGrowing() {
        return lower() instanceof Bound.Unbounded;
    }

    default Frame frame(Partition partition) {
        return switch (this) {
            case Documents documents -> new DocumentFrame(documents, partition);
            case Range range -> new RangeFrame(range, partition);
        };
    }
}
