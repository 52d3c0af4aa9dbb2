package dev.semel.conformance.adapter;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonValue;

/** Which arguments of an operation become which options; any other is refused, so that nothing is left out unseen. */
public record Options<O>(Map<String, Setter<O>> setters) {
    @FunctionalInterface
    public interface Setter<O> {
        void set(O options, BsonValue value);
    }

    public record Option<O>(String name, Setter<O> setter) {}

    @SafeVarargs
    public static <O> Options<O> of(Option<O>... options) {
        Map<String, Setter<O>> setters = new HashMap<>();
        for (Option<O> each : options) {
            setters.put(each.name, each.setter);
        }
        return new Options<>(setters);
    }

    public static <O> Option<O> option(String name, Setter<O> setter) {
        return new Option<>(name, setter);
    }

    /** Sets all but the {@code taken}, which the caller reads itself. */
    public O apply(String operation, O options, Arguments arguments, String... taken) {
        Set<String> left = Set.copyOf(List.of(taken));
        arguments.values().forEach((name, value) -> {
            Setter<O> setter = setters.get(name);
            if (setter != null) {
                setter.set(options, value);
            } else if (!left.contains(name)) {
                throw new Unsupported(operation + "." + name);
            }
        });
        return options;
    }

    /** For operations without options. */
    public static void none(String operation, Arguments arguments, String... taken) {
        Options<Object> none = new Options<>(Map.of());
        none.apply(operation, none, arguments, taken);
    }
}
