package dev.semel.query.expression;

import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** An ordinary function: same arguments, same result. An optional argument that was not given is missing. */
public record Function(String name, Body body) {
    /** The computation. The array is the caller's to reuse: keep values, not the array. */
    @FunctionalInterface
    public interface Body {
        @Nullable
        Value apply(@Nullable Value[] arguments);

        /** The same, of what can take long: it asks now and then whether to go on. */
        default @Nullable Value apply(@Nullable Value[] arguments, Runnable checkpoint) {
            return apply(arguments);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
