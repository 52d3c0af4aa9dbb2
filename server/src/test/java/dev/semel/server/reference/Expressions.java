package dev.semel.server.reference;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The value of an expression for a document, null if it has none. */
record Expressions(Order order) {
    @Nullable
    BsonValue evaluate(BsonValue expression, BsonDocument document) {
        return switch (expression) {
            case BsonString text when text.getValue().equals("$$ROOT") -> document;
            case BsonString text
            when text.getValue().startsWith("$") ->
                path(document, List.of(text.getValue().substring(1).split("\\.")));
            case BsonDocument call
            when Match.isOperators(call) -> call(call.getFirstKey(), Fields.first(call), document);
            case BsonDocument fields -> {
                BsonDocument made = new BsonDocument();
                fields.forEach((name, value) -> put(made, name, evaluate(value, document)));
                yield made;
            }
            case BsonArray values ->
                new BsonArray(values.stream()
                        .map(each -> orNull(evaluate(each, document)))
                        .toList());
            default -> expression;
        };
    }

    static void put(BsonDocument to, String name, @Nullable BsonValue value) {
        if (value != null) {
            to.put(name, value);
        }
    }

    static BsonValue orNull(@Nullable BsonValue value) {
        return value == null ? BsonNull.VALUE : value;
    }

    private static boolean isNullish(@Nullable BsonValue value) {
        return value == null || value.isNull();
    }

    static boolean isTrue(@Nullable BsonValue value) {
        return switch (value) {
            case null -> false;
            case BsonNull none -> false;
            case BsonBoolean is -> is.getValue();
            case BsonNumber number -> Order.isNaN(number) || Order.exact(number).signum() != 0;
            default -> true;
        };
    }

    /** In an array the path goes on in each document, not in arrays in it; numbers are names. */
    private static @Nullable BsonValue path(BsonValue from, List<String> path) {
        if (path.isEmpty()) {
            return from;
        }
        return switch (from) {
            case BsonDocument document -> {
                BsonValue value = document.get(path.getFirst());
                yield value == null ? null : path(value, path.subList(1, path.size()));
            }
            case BsonArray array -> {
                BsonArray found = new BsonArray();
                for (BsonValue each : array) {
                    BsonValue value = each instanceof BsonDocument ? path(each, path) : null;
                    if (value != null) {
                        found.add(value);
                    }
                }
                yield found;
            }
            default -> null;
        };
    }

    private @Nullable BsonValue call(String name, BsonValue argument, BsonDocument document) {
        if (name.equals("$literal")) {
            return argument;
        }
        List<@Nullable BsonValue> values = new ArrayList<>();
        for (BsonValue each : argument instanceof BsonArray list ? list : new BsonArray(List.of(argument))) {
            if (!isLazy(name)) {
                values.add(evaluate(each, document));
            }
        }
        return switch (name) {
            case "$add" -> arithmetic(Arithmetic.ADD, values);
            case "$subtract" -> arithmetic(Arithmetic.SUBTRACT, values);
            case "$multiply" -> arithmetic(Arithmetic.MULTIPLY, values);
            case "$eq" -> BsonBoolean.valueOf(compared(values) == 0);
            case "$ne" -> BsonBoolean.valueOf(compared(values) != 0);
            case "$gt" -> BsonBoolean.valueOf(compared(values) > 0);
            case "$gte" -> BsonBoolean.valueOf(compared(values) >= 0);
            case "$lt" -> BsonBoolean.valueOf(compared(values) < 0);
            case "$lte" -> BsonBoolean.valueOf(compared(values) <= 0);
            case "$cmp" -> new BsonInt32(Integer.signum(compared(values)));
            case "$and" ->
                BsonBoolean.valueOf(argument.asArray().stream().allMatch(each -> isTrue(evaluate(each, document))));
            case "$or" ->
                BsonBoolean.valueOf(argument.asArray().stream().anyMatch(each -> isTrue(evaluate(each, document))));
            case "$not" -> BsonBoolean.valueOf(!isTrue(values.getFirst()));
            case "$cond" -> {
                BsonArray parts = argument.asArray();
                yield evaluate(parts.get(isTrue(evaluate(parts.get(0), document)) ? 1 : 2), document);
            }
            case "$ifNull" -> {
                BsonValue first = evaluate(argument.asArray().get(0), document);
                yield isNullish(first) ? evaluate(argument.asArray().get(1), document) : first;
            }
            case "$isArray" -> BsonBoolean.valueOf(values.getFirst() instanceof BsonArray);
            case "$size" -> new BsonInt32(array(values.getFirst()).size());
            case "$in" ->
                BsonBoolean.valueOf(array(values.get(1)).stream()
                        .anyMatch(each -> values.get(0) != null && order.equal(each, values.get(0))));
            case "$concatArrays" -> {
                BsonArray all = new BsonArray();
                if (values.stream().anyMatch(Expressions::isNullish)) {
                    yield BsonNull.VALUE;
                }
                values.forEach(each -> all.addAll(array(each)));
                yield all;
            }
            case "$arrayElemAt" -> {
                if (isNullish(values.get(0))) {
                    yield BsonNull.VALUE;
                }
                BsonArray array = array(values.get(0));
                int index = values.get(1).asInt32().getValue();
                int at = index < 0 ? array.size() + index : index;
                yield at < 0 || at >= array.size() ? null : array.get(at);
            }
            case "$type" -> new BsonString(alias(values.getFirst()));
            default -> throw new AssertionError(name);
        };
    }

    private static boolean isLazy(String name) {
        return List.of("$and", "$or", "$cond", "$ifNull").contains(name);
    }

    private static BsonValue arithmetic(Arithmetic operation, List<@Nullable BsonValue> values) {
        BsonValue result = orNull(values.getFirst());
        for (BsonValue each : values.subList(1, values.size())) {
            if (result.isNull() || each == null || each.isNull()) {
                requireNumberOrNull(result);
                requireNumberOrNull(each);
                result = BsonNull.VALUE;
            } else {
                result = operation.of(result, each, true);
            }
        }
        return result;
    }

    private static void requireNumberOrNull(@Nullable BsonValue value) {
        if (!isNullish(value) && !(value instanceof BsonNumber)) {
            throw new Refused();
        }
    }

    /** Missing is below null. */
    private int compared(List<@Nullable BsonValue> values) {
        BsonValue a = values.get(0);
        BsonValue b = values.get(1);
        return order.compare(a == null ? new BsonUndefined() : a, b == null ? new BsonUndefined() : b);
    }

    private static BsonArray array(@Nullable BsonValue value) {
        if (value instanceof BsonArray array) {
            return array;
        }
        throw new Refused();
    }

    private static String alias(@Nullable BsonValue value) {
        return switch (value == null ? BsonType.END_OF_DOCUMENT : value.getBsonType()) {
            case END_OF_DOCUMENT -> "missing";
            case INT32 -> "int";
            case INT64 -> "long";
            case DOUBLE -> "double";
            case DECIMAL128 -> "decimal";
            case STRING -> "string";
            case DOCUMENT -> "object";
            case ARRAY -> "array";
            case BOOLEAN -> "bool";
            case NULL -> "null";
            case DATE_TIME -> "date";
            default -> throw new AssertionError(value);
        };
    }
}
