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

        /** The same, with the memory to draw from, for {@link Building}. */
        default @Nullable Value apply(@Nullable Value[] arguments, Scratch scratch) {
            return apply(arguments);
        }
    }

    /**
     * A computation that may take much memory, or long: it says what it builds, and asks now and then whether to go on.
     * Its arguments are counted already, and its result will be.
     */
    @FunctionalInterface
    interface Building extends Body {
        @Override
        @Nullable
        Value apply(@Nullable Value[] arguments, Scratch scratch);

        @Override
        default @Nullable Value apply(@Nullable Value[] arguments) {
            return apply(arguments, Scratch.unlimited());
        }
    }

    static Function building(String name, Building body) {
        return new Function(name, body);
    }

    @Override
    public String toString() {
        return name;
    }
}
