package dev.semel.server.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** {@code $project}, {@code $addFields} and {@code $unset}, one path after the other. */
record Projection(Expressions expressions) {
    /** Stands for the computed fields below a path, for which what is no document becomes one. */
    private static final String COMPUTED = "$computed";

    BsonDocument project(BsonDocument specification, BsonDocument document) {
        boolean excludes = specification.entrySet().stream()
                .anyMatch(each -> !each.getKey().equals("_id") && isZero(each.getValue()));
        return excludes ? exclude(specification, document) : include(specification, document);
    }

    private static boolean isZero(BsonValue value) {
        return value.isInt32() && value.asInt32().getValue() == 0;
    }

    private static boolean isFlag(BsonValue value) {
        return value.isInt32();
    }

    private static BsonDocument exclude(BsonDocument specification, BsonDocument document) {
        BsonDocument left = document.clone();
        specification.keySet().forEach(path -> unset(left, List.of(path.split("\\."))));
        return left;
    }

    static void unset(BsonValue from, List<String> path) {
        if (from instanceof BsonArray array) {
            array.forEach(each -> unset(each, path));
        } else if (from instanceof BsonDocument document) {
            if (path.size() == 1) {
                document.remove(path.getFirst());
            } else if (document.containsKey(path.getFirst())) {
                unset(Fields.of(document, path.getFirst()), path.subList(1, path.size()));
            }
        }
    }

    private BsonDocument include(BsonDocument specification, BsonDocument document) {
        List<List<String>> kept = new ArrayList<>();
        specification.forEach((path, value) -> {
            if (isFlag(value) && !isZero(value)) {
                kept.add(List.of(path.split("\\.")));
            } else if (!isFlag(value) && path.contains(".")) {
                kept.add(List.of((path.substring(0, path.lastIndexOf('.')) + "." + COMPUTED).split("\\.")));
            }
        });
        BsonDocument result = kept(document, kept);
        if (!specification.containsKey("_id")) {
            BsonDocument withId = new BsonDocument("_id", document.get("_id"));
            withId.putAll(result);
            result = withId;
        }
        for (Map.Entry<String, BsonValue> each : specification.entrySet()) {
            if (!isFlag(each.getValue())) {
                set(result, List.of(each.getKey().split("\\.")), expressions.evaluate(each.getValue(), document));
            }
        }
        return result;
    }

    private static BsonDocument kept(BsonDocument from, List<List<String>> paths) {
        BsonDocument result = new BsonDocument();
        from.forEach((name, value) -> {
            List<List<String>> below = paths.stream()
                    .filter(each -> each.getFirst().equals(name))
                    .map(each -> each.subList(1, each.size()))
                    .toList();
            if (below.stream().anyMatch(List::isEmpty)) {
                result.put(name, value);
            } else if (!below.isEmpty()) {
                Expressions.put(result, name, inside(value, below));
            }
        });
        return result;
    }

    private static @Nullable BsonValue inside(BsonValue value, List<List<String>> paths) {
        return switch (value) {
            case BsonDocument document -> kept(document, paths);
            case BsonArray array -> {
                BsonArray left = new BsonArray();
                for (BsonValue each : array) {
                    BsonValue inside = inside(each, paths);
                    if (inside != null) {
                        left.add(inside);
                    }
                }
                yield left;
            }
            default -> paths.contains(List.of(COMPUTED)) ? new BsonDocument() : null;
        };
    }

    /** Each field is computed from the document as it was. */
    BsonDocument addFields(BsonDocument specification, BsonDocument document) {
        BsonDocument result = document.clone();
        specification.forEach((path, expression) ->
                set(result, List.of(path.split("\\.")), expressions.evaluate(expression, document)));
        return result;
    }

    /** Below an array in every element; what is no document becomes one. */
    static void set(BsonDocument in, List<String> path, @Nullable BsonValue value) {
        String name = path.getFirst();
        if (path.size() > 1) {
            UnaryOperator<BsonValue> below = each -> below(each, path.subList(1, path.size()), value);
            in.put(name, below.apply(in.getOrDefault(name, new BsonDocument())));
        } else if (value == null) {
            in.remove(name);
        } else {
            in.put(name, value);
        }
    }

    private static BsonValue below(BsonValue at, List<String> path, @Nullable BsonValue value) {
        if (at instanceof BsonArray array) {
            return new BsonArray(
                    array.stream().map(each -> below(each, path, value)).toList());
        }
        BsonDocument document = at instanceof BsonDocument inner ? inner : new BsonDocument();
        set(document, path, value);
        return document;
    }
}
