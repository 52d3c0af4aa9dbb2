package dev.semel.server.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Whether a filter matches a document. */
record Match(Order order) {
    /** What stands at the end of a path, and whether it is an element of the array there. */
    private record Found(@Nullable BsonValue value, boolean isElement) {}

    boolean matches(BsonDocument filter, BsonDocument document) {
        return filter.entrySet().stream().allMatch(each -> clause(each.getKey(), each.getValue(), document));
    }

    /** The place of the first element in an array that satisfies a condition on it; -1 if there is none. */
    int place(BsonDocument condition, BsonDocument document) {
        for (Map.Entry<String, BsonValue> only : condition.entrySet()) {
            return place(only.getKey(), only.getValue(), document);
        }
        return -1;
    }

    private int place(String path, BsonValue operand, BsonDocument document) {
        String[] names = path.split("\\.", 2);
        BsonValue value = document.get(names[0]);
        if (value instanceof BsonDocument inner && names.length > 1) {
            return place(names[1], operand, inner);
        }
        if (value instanceof BsonArray elements) {
            BsonDocument condition = new BsonDocument(path, operand);
            for (int i = 0; i < elements.size(); i++) {
                if (matches(condition, new BsonDocument(names[0], new BsonArray(List.of(elements.get(i)))))) {
                    return i;
                }
            }
        }
        return -1;
    }

    private boolean clause(String name, BsonValue operand, BsonDocument document) {
        return switch (name) {
            case "$and" -> operand.asArray().stream().allMatch(each -> matches(each.asDocument(), document));
            case "$or" -> operand.asArray().stream().anyMatch(each -> matches(each.asDocument(), document));
            case "$nor" -> operand.asArray().stream().noneMatch(each -> matches(each.asDocument(), document));
            case "$expr" -> Expressions.isTrue(new Expressions(order).evaluate(operand, document));
            default -> conditions(operand, at(document, name));
        };
    }

    private boolean conditions(BsonValue operand, List<Found> found) {
        if (!isOperators(operand)) {
            return equals(operand, found);
        }
        return operand.asDocument().entrySet().stream()
                .allMatch(each -> condition(each.getKey(), each.getValue(), found));
    }

    static boolean isOperators(BsonValue operand) {
        return operand instanceof BsonDocument document
                && !document.isEmpty()
                && document.getFirstKey().startsWith("$");
    }

    private boolean condition(Map.Entry<String, BsonValue> condition, List<Found> found) {
        return condition(condition.getKey(), condition.getValue(), found);
    }

    private boolean condition(String operator, BsonValue operand, List<Found> found) {
        return switch (operator) {
            case "$eq" -> equals(operand, found);
            case "$ne" -> !equals(operand, found);
            case "$gt" -> compares(operand, found, sign -> sign > 0, false);
            case "$gte" -> compares(operand, found, sign -> sign >= 0, true);
            case "$lt" -> compares(operand, found, sign -> sign < 0, false);
            case "$lte" -> compares(operand, found, sign -> sign <= 0, true);
            case "$in" -> operand.asArray().stream().anyMatch(each -> equals(each, found));
            case "$nin" -> operand.asArray().stream().noneMatch(each -> equals(each, found));
            case "$not" -> !conditions(operand, found);
            case "$exists" -> operand.asBoolean().getValue() == found.stream().anyMatch(each -> each.value != null);
            case "$type" ->
                any(found, value -> Order.isType(value, operand.asString().getValue()));
            case "$size" ->
                anyArray(found, array -> array.size() == operand.asInt32().getValue());
            case "$all" ->
                !operand.asArray().isEmpty()
                        && operand.asArray().stream()
                                .allMatch(each -> isOperators(each) ? conditions(each, found) : equals(each, found));
            case "$elemMatch" -> anyArray(found, array -> array.stream().anyMatch(each -> element(operand, each)));
            case "$mod" ->
                any(
                        found,
                        value -> value.isNumber()
                                && !Order.isNaN(value)
                                && value.asNumber().longValue()
                                                % operand.asArray()
                                                        .get(0)
                                                        .asNumber()
                                                        .longValue()
                                        == operand.asArray().get(1).asNumber().longValue());
            case "$regex" ->
                any(
                        found,
                        value -> value.isString()
                                && value.asString()
                                        .getValue()
                                        .startsWith(
                                                operand.asString().getValue().substring(1)));
            default -> throw new AssertionError(operator);
        };
    }

    /** An element of {@code $elemMatch}: a value for operators, else a document, or an array that is read like one. */
    private boolean element(BsonValue operand, BsonValue element) {
        if (isOperators(operand) && !operand.asDocument().getFirstKey().matches("\\$(and|or|nor|expr)")) {
            return operand.asDocument().entrySet().stream()
                    .allMatch(each -> condition(each, List.of(new Found(element, true))));
        }
        return switch (element) {
            case BsonDocument document -> matches(operand.asDocument(), document);
            case BsonArray array -> matches(operand.asDocument(), byIndex(array));
            default -> false;
        };
    }

    private static BsonDocument byIndex(BsonArray array) {
        BsonDocument document = new BsonDocument();
        for (int i = 0; i < array.size(); i++) {
            document.put(Integer.toString(i), array.get(i));
        }
        return document;
    }

    private boolean equals(BsonValue operand, List<Found> found) {
        return compares(operand, found, sign -> sign == 0, true);
    }

    /** Values of the operand's kind only; a missing field is null; NaN is equal to NaN and not ordered. */
    private boolean compares(BsonValue operand, List<Found> found, Predicate<Integer> wanted, boolean orEqual) {
        return found.stream()
                .map(each -> each.value == null ? BsonNull.VALUE : each.value)
                .anyMatch(value -> {
                    if (Order.kind(value) != Order.kind(operand)) {
                        return false;
                    }
                    if (Order.isNaN(value) || Order.isNaN(operand)) {
                        return orEqual && Order.isNaN(value) && Order.isNaN(operand);
                    }
                    return wanted.test(order.compare(value, operand));
                });
    }

    private static boolean any(List<Found> found, Predicate<BsonValue> wanted) {
        return found.stream().anyMatch(each -> each.value != null && wanted.test(each.value));
    }

    private static boolean anyArray(List<Found> found, Predicate<BsonArray> wanted) {
        return found.stream()
                .anyMatch(each -> !each.isElement && each.value instanceof BsonArray array && wanted.test(array));
    }

    // ---- paths

    /** The values at a path: of an array there its elements. */
    static List<BsonValue> values(BsonDocument document, String path) {
        return at(document, path).stream()
                .filter(each -> each.value != null && (each.isElement || !each.value.isArray()))
                .map(each -> each.value)
                .toList();
    }

    private static List<Found> at(BsonDocument document, String path) {
        List<Found> found = new ArrayList<>();
        inDocument(document, List.of(path.split("\\.")), found);
        return found;
    }

    private static void inDocument(BsonDocument document, List<String> path, List<Found> found) {
        BsonValue value = document.get(path.getFirst());
        List<String> rest = path.subList(1, path.size());
        if (rest.isEmpty()) {
            if (value instanceof BsonArray array) {
                array.forEach(each -> found.add(new Found(each, true)));
            }
            found.add(new Found(value, false));
        } else if (value instanceof BsonArray array) {
            inArray(array, rest, found);
        } else if (value instanceof BsonDocument inner) {
            inDocument(inner, rest, found);
        } else {
            found.add(new Found(null, false));
        }
    }

    /** The path goes on in each document of the array, and in the element that its next name numbers. */
    private static void inArray(BsonArray array, List<String> path, List<Found> found) {
        List<String> rest = path.subList(1, path.size());
        for (int i = 0; i < array.size(); i++) {
            BsonValue element = array.get(i);
            if (element instanceof BsonDocument inner) {
                inDocument(inner, path, found);
            }
            if (path.getFirst().equals(Integer.toString(i))) {
                if (rest.isEmpty()) {
                    found.add(new Found(element, false));
                } else if (element instanceof BsonDocument inner) {
                    inDocument(inner, rest, found);
                } else if (element instanceof BsonArray inner) {
                    inArray(inner, rest, found);
                }
            }
        }
    }
}
