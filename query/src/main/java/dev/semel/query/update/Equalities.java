package dev.semel.query.update;

import dev.semel.query.filter.Comparison;
import dev.semel.query.filter.Condition;
import dev.semel.query.filter.Filter;
import dev.semel.query.value.DottedPath;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a filter says that every document it matches must have: the fields that an upsert begins with. */
final class Equalities {
    private Equalities() {}

    /** The fields whose value the filter fixes, in its order, {@code _id} first. */
    static RawDocument document(Filter filter) {
        Map<DottedPath, Value> fixed = new LinkedHashMap<>();
        collect(filter, fixed);
        var root = new LinkedHashMap<String, Fields>();
        fixed.forEach((path, value) -> {
            if (path.first().equals("_id")) {
                put(root, path, value);
            }
        });
        fixed.forEach((path, value) -> {
            if (!path.first().equals("_id")) {
                put(root, path, value);
            }
        });
        return write(root);
    }

    /** The {@code _id} that the filter fixes, which must be all of it. */
    static @Nullable Value exactId(Filter filter) {
        Map<DottedPath, Value> fixed = new LinkedHashMap<>();
        collect(filter, fixed);
        for (var each : fixed.entrySet()) {
            DottedPath path = each.getKey();
            if (path.first().equals("_id")) {
                if (path.size() > 1) {
                    throw new CommandException(
                            ErrorCode.NotExactValueField,
                            "field at '_id' must be exactly specified, field at sub-path '%s'found",
                            path);
                }
                return each.getValue();
            }
        }
        return null;
    }

    private static void collect(Filter filter, Map<DottedPath, Value> fixed) {
        switch (filter) {
            case Filter.And(var all) -> all.forEach(each -> collect(each, fixed));
            case Filter.Field(DottedPath path, Condition condition) -> {
                if (condition instanceof Condition.Compare compare && compare.comparison() == Comparison.EQ) {
                    add(path, compare.value(), fixed);
                } else if (condition instanceof Condition.In in
                        && in.patterns().isEmpty()
                        && in.values().size() == 1) {
                    add(path, in.values().getFirst(), fixed);
                }
            }
            default -> {}
        }
    }

    private static void add(DottedPath path, Value value, Map<DottedPath, Value> fixed) {
        for (DottedPath other : fixed.keySet()) {
            if (other.equals(path)) {
                throw new CommandException(
                        ErrorCode.NotSingleValueField,
                        "cannot infer query fields to set, path '%s' is matched twice",
                        path);
            }
            if (other.overlaps(path)) {
                throw new CommandException(
                        ErrorCode.NotSingleValueField,
                        "cannot infer query fields to set, both paths '%s' and '%s' are matched",
                        path,
                        other);
            }
        }
        fixed.put(path, value);
    }

    /** A field to be added to the document: its value, or the fields below it. */
    private record Fields(@Nullable Value value, Map<String, Fields> below) {}

    private static void put(Map<String, Fields> root, DottedPath path, Value value) {
        Map<String, Fields> in = root;
        for (int i = 0; i < path.size() - 1; i++) {
            in = in.computeIfAbsent(path.part(i), name -> new Fields(null, new LinkedHashMap<>()))
                    .below();
        }
        in.put(path.last(), new Fields(value, Map.of()));
    }

    private static RawDocument write(Map<String, Fields> fields) {
        var out = new BsonWriter();
        fields.forEach((name, field) -> {
            Value value = field.value();
            if (value == null) {
                out.put(name, write(field.below()));
            } else {
                out.put(name, value);
            }
        });
        return out.finish();
    }
}
