package dev.semel.server.reference;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonNumber;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Update operators on a document, one path after the other, in the order of the paths. */
record Updates(Order order, List<BsonDocument> arrayFilters) {
    BsonDocument apply(BsonDocument update, BsonDocument before) {
        BsonDocument document = before.clone();
        Map<String, Runnable> changes = new TreeMap<>();
        update.forEach((operator, fields) -> fields.asDocument().forEach((path, operand) -> {
            changes.put(path, () -> change(operator, path, operand, document));
            if (operator.equals("$rename")) {
                BsonValue moved = at(before, path);
                changes.put(operand.asString().getValue(), () -> {
                    if (moved != null) {
                        edit(document, operand.asString().getValue(), new Way(true, false), old -> moved);
                    }
                });
            }
        }));
        changes.values().forEach(Runnable::run);
        return document;
    }

    /** The same where {@code $} in a path stands for the place of an element. */
    BsonDocument apply(BsonDocument update, BsonDocument before, int place) {
        BsonDocument placed = new BsonDocument();
        update.forEach((operator, fields) -> {
            BsonDocument changed = new BsonDocument();
            fields.asDocument().forEach((path, operand) -> {
                boolean isMeant = List.of(path.split("\\.")).contains("$");
                if (isMeant && place < 0) {
                    throw new Refused();
                }
                changed.put(isMeant ? path.replace(".$", "." + place) : path, operand);
            });
            placed.put(operator, changed);
        });
        return apply(placed, before);
    }

    private static @Nullable BsonValue at(BsonDocument document, String path) {
        BsonValue value = document;
        for (String name : List.of(path.split("\\."))) {
            if (value instanceof BsonArray) {
                throw new Refused();
            }
            value = value instanceof BsonDocument inner ? inner.get(name) : null;
        }
        return value;
    }

    private void change(String operator, String path, BsonValue operand, BsonDocument document) {
        boolean lenient = operator.equals("$unset") || operator.equals("$rename");
        boolean creates = !lenient && !operator.startsWith("$pull") && !operator.equals("$pop");
        edit(document, path, new Way(creates, lenient), old -> changed(operator, operand, old));
    }

    /** Null for no value. */
    private @Nullable BsonValue changed(String operator, BsonValue operand, @Nullable BsonValue old) {
        return switch (operator) {
            case "$set" -> operand;
            case "$unset", "$rename" -> null;
            case "$inc" -> Arithmetic.ADD.of(old == null ? new BsonInt32(0) : old, numeric(operand, old), false);
            case "$mul" -> Arithmetic.MULTIPLY.of(old == null ? new BsonInt32(0) : old, numeric(operand, old), false);
            case "$min" -> old == null || order.compare(operand, old) < 0 ? operand : old;
            case "$max" -> old == null || order.compare(operand, old) > 0 ? operand : old;
            case "$push" -> pushed(operand, array(old));
            case "$addToSet" -> {
                BsonArray set = array(old);
                for (BsonValue each : each(operand)) {
                    if (set.stream().noneMatch(other -> order.equal(other, each))) {
                        set.add(each);
                    }
                }
                yield set;
            }
            case "$pop" -> {
                if (old == null) {
                    yield null;
                }
                BsonArray left = array(old);
                if (!left.isEmpty()) {
                    left.remove(operand.asInt32().getValue() < 0 ? 0 : left.size() - 1);
                }
                yield left;
            }
            case "$pullAll" -> {
                if (old == null) {
                    yield null;
                }
                BsonArray left = array(old);
                left.removeIf(each -> operand.asArray().stream().anyMatch(other -> order.equal(each, other)));
                yield left;
            }
            case "$bit" -> bits(operand.asDocument(), old == null ? new BsonInt32(0) : old);
            case "$pull" -> {
                if (old == null) {
                    yield null;
                }
                BsonArray left = array(old);
                left.removeIf(each -> isPulled(operand, each));
                yield left;
            }
            default -> throw new AssertionError(operator);
        };
    }

    private static BsonValue bits(BsonDocument operation, BsonValue old) {
        String name = operation.getFirstKey();
        BsonNumber by = operation.getNumber(name);
        if (!old.isInt32() && !old.isInt64()) {
            throw new Refused();
        }
        long a = old.asNumber().longValue();
        long b = by.longValue();
        long result = switch (name) {
            case "and" -> a & b;
            case "or" -> a | b;
            default -> a ^ b;
        };
        return old.isInt32() && by.isInt32() ? new BsonInt32((int) result) : new BsonInt64(result);
    }

    private static BsonValue numeric(BsonValue operand, @Nullable BsonValue old) {
        if (old != null && !(old instanceof BsonNumber)) {
            throw new Refused();
        }
        return operand;
    }

    private static BsonArray array(@Nullable BsonValue old) {
        if (old == null) {
            return new BsonArray();
        }
        if (old instanceof BsonArray array) {
            return array.clone();
        }
        throw new Refused();
    }

    private static List<BsonValue> each(BsonValue operand) {
        return operand instanceof BsonDocument modifiers && modifiers.containsKey("$each")
                ? modifiers.getArray("$each")
                : List.of(operand);
    }

    private BsonArray pushed(BsonValue operand, BsonArray array) {
        BsonDocument modifiers = operand instanceof BsonDocument document && document.containsKey("$each")
                ? document
                : new BsonDocument();
        int size = array.size();
        int position = modifiers.getInt32("$position", new BsonInt32(size)).getValue();
        int at = position < 0 ? Math.max(0, size + position) : Math.min(position, size);
        List<BsonValue> result = new ArrayList<>(array);
        result.addAll(at, each(operand));
        switch (modifiers.get("$sort")) {
            case null -> {}
            case BsonInt32 direction -> result.sort(direction.getValue() > 0 ? order : order.reversed());
            case BsonValue pattern -> {
                // Unlike in a sort of documents, an array counts as a whole.
                String field = pattern.asDocument().getFirstKey();
                Comparator<BsonValue> byField = Comparator.comparing(
                        each -> Expressions.orNull(asDocument(each).get(field)), order);
                result.sort(pattern.asDocument().getInt32(field).getValue() > 0 ? byField : byField.reversed());
            }
        }
        if (modifiers.containsKey("$slice")) {
            int slice = modifiers.getInt32("$slice").getValue();
            int from = slice < 0 ? Math.max(0, result.size() + slice) : 0;
            result = result.subList(from, slice < 0 ? result.size() : Math.min(slice, result.size()));
        }
        return new BsonArray(result);
    }

    private static BsonDocument asDocument(BsonValue value) {
        return value instanceof BsonDocument document ? document : new BsonDocument();
    }

    private boolean isPulled(BsonValue operand, BsonValue element) {
        Match match = new Match(order);
        if (operand instanceof BsonDocument condition) {
            return Match.isOperators(condition)
                    ? match.matches(new BsonDocument("x", condition), new BsonDocument("x", element))
                    : element instanceof BsonDocument document && match.matches(condition, document);
        }
        return order.equal(operand, element);
    }

    // ---- paths

    /** Whether a missing field is made, and whether a path through a value that has no fields is no error. */
    private record Way(boolean creates, boolean lenient) {}

    /** Changes what the path leads to: names make fields where there are none, numbers places in arrays. */
    private void edit(BsonValue in, String path, Way way, UnaryOperator<@Nullable BsonValue> change) {
        int dot = path.indexOf('.');
        String name = dot < 0 ? path : path.substring(0, dot);
        UnaryOperator<@Nullable BsonValue> here = dot < 0
                ? change
                : old -> {
                    String rest = path.substring(dot + 1);
                    if (old == null && !way.creates && !rest.startsWith("$[")) {
                        return null;
                    }
                    BsonValue below = old == null ? missing(rest) : old;
                    edit(below, rest, way, change);
                    return below;
                };
        switch (in) {
            case BsonDocument document -> field(document, name, here);
            case BsonArray array -> elements(array, name, way, here);
            default -> {
                if (!way.lenient || name.startsWith("$[")) {
                    throw new Refused();
                }
            }
        }
    }

    private static BsonValue missing(String rest) {
        if (rest.startsWith("$[")) {
            throw new Refused();
        }
        return new BsonDocument();
    }

    private static void field(BsonDocument document, String name, UnaryOperator<@Nullable BsonValue> change) {
        if (name.startsWith("$[")) {
            throw new Refused();
        }
        BsonValue changed = change.apply(document.get(name));
        if (changed == null) {
            document.remove(name);
        } else {
            document.put(name, changed);
        }
    }

    private void elements(BsonArray array, String name, Way way, UnaryOperator<@Nullable BsonValue> change) {
        if (name.startsWith("$[")) {
            for (int i = 0; i < array.size(); i++) {
                if (isMeant(name, array.get(i))) {
                    array.set(i, Expressions.orNull(change.apply(array.get(i))));
                }
            }
            return;
        }
        if (!name.matches("\\d+")) {
            if (!way.lenient) {
                throw new Refused();
            }
            return;
        }
        int index = Integer.parseInt(name);
        if (index < array.size()) {
            array.set(index, Expressions.orNull(change.apply(array.get(index))));
        } else if (way.creates) {
            while (array.size() < index) {
                array.add(BsonNull.VALUE);
            }
            array.add(Expressions.orNull(change.apply(null)));
        }
    }

    private boolean isMeant(String name, BsonValue element) {
        String identifier = name.substring(2, name.length() - 1);
        return identifier.isEmpty()
                || arrayFilters.stream()
                        .allMatch(each -> new Match(order).matches(each, new BsonDocument(identifier, element)));
    }
}
