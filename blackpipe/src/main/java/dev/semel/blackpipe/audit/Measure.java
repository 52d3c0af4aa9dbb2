package dev.semel.blackpipe.audit;

import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Measures the effect in the data, field by field: a number has changed by a multiple of the expected change, any other
 * value has changed or not. The effect is there n times if all fields agree on n; otherwise it is there in part.
 */
final class Measure {
    private static final double TOLERANCE = 1e-9;

    private final Set<Double> multiples = new HashSet<>();

    /** Whether a value that is not a number has become the expected one. */
    private boolean isSomethingSet;

    /** Whether a value is neither unchanged nor the expected one. */
    private boolean isStrange;

    private Measure() {}

    /** The state before the run; null if it was not read. */
    static Effect of(@Nullable Value before, Value expected, Value found) {
        if (LooseEquality.same(found, expected)) {
            return new Effect.Times(1);
        }
        if (before != null && LooseEquality.same(found, before)) {
            return new Effect.Times(0);
        }
        Map<String, Value> base = parts(before);
        Map<String, Value> wanted = parts(expected);
        Map<String, Value> now = parts(found);
        Set<String> paths = new HashSet<>(base.keySet());
        paths.addAll(wanted.keySet());
        paths.addAll(now.keySet());
        Measure measure = new Measure();
        paths.forEach(each -> measure.add(base.get(each), wanted.get(each), now.get(each)));
        return measure.effect(found);
    }

    private Effect effect(Value found) {
        if (!isStrange && multiples.size() == 1) {
            double times = multiples.iterator().next();
            long whole = Math.round(times);
            if (whole >= (isSomethingSet ? 1 : 0) && Math.abs(times - whole) < TOLERANCE) {
                return new Effect.Times(whole);
            }
        }
        return new Effect.Part(Json.relaxed(found));
    }

    private void add(@Nullable Value before, @Nullable Value expected, @Nullable Value found) {
        if (LooseEquality.same(before, expected)) {
            isStrange |= !LooseEquality.same(found, before);
            return;
        }
        Double from = amount(before);
        Double to = amount(expected);
        Double now = amount(found);
        if (from != null && to != null && now != null && !from.equals(to)) {
            multiples.add((now - from) / (to - from));
        } else if (LooseEquality.same(found, before)) {
            multiples.add(0.0);
        } else if (LooseEquality.same(found, expected)) {
            // How often it changed is unknown: a value that is not a number shows only that it has changed.
            isSomethingSet = true;
        } else {
            isStrange = true;
        }
    }

    /** A missing value is 0; null for a value that has no amount. */
    private static @Nullable Double amount(@Nullable Value value) {
        return switch (value) {
            case null -> 0.0;
            case Value.Int32 number -> LooseEquality.amount(number);
            case Value.Int64 number -> LooseEquality.amount(number);
            case Value.Double64 number -> LooseEquality.amount(number);
            // Elements without ids cannot be matched, so the array counts as one sum.
            case Value.Array array -> LooseEquality.amount(array);
            default -> null;
        };
    }

    /** The fields by path; a document in an array goes by its _id. */
    private static Map<String, Value> parts(@Nullable Value value) {
        Map<String, Value> parts = new TreeMap<>();
        if (value != null) {
            collect("", value, parts);
        }
        return parts;
    }

    private static void collect(String path, Value value, Map<String, Value> parts) {
        if (value instanceof Value.Doc(RawDocument document)) {
            document.forEach(each -> collect(path + "." + each.name(), each.value(), parts));
        } else if (value instanceof Value.Array(RawDocument elements) && haveIds(elements)) {
            for (Element each : elements) {
                if (!(each.value() instanceof Value.Doc(RawDocument document))) {
                    continue;
                }
                Value id = document.get("_id");
                if (id != null) {
                    String name = path + "[" + Json.canonical(id) + "]";
                    parts.put(name, Value.TRUE);
                    document.forEach(field -> {
                        if (!field.name().equals("_id")) {
                            collect(name + "." + field.name(), field.value(), parts);
                        }
                    });
                }
            }
        } else {
            parts.put(path, value);
        }
    }

    private static boolean haveIds(RawDocument elements) {
        for (Element each : elements) {
            if (!(each.value() instanceof Value.Doc(RawDocument document)) || document.get("_id") == null) {
                return false;
            }
        }
        return true;
    }
}
