package dev.semel.conformance.unified;

import dev.semel.conformance.adapter.DrivenSession;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Compares what came with what the data expects, special operators included; fails with an {@link AssertionError}. */
final class ValueMatcher {
    private final Entities entities;

    ValueMatcher(Entities entities) {
        this.entities = entities;
    }

    /** At the root a document may have more fields than expected, and so may each document of an array there. */
    void match(BsonValue expected, @Nullable BsonValue actual) {
        match(expected, actual, true, "");
    }

    void matchExactly(BsonValue expected, @Nullable BsonValue actual) {
        match(expected, actual, false, "");
    }

    private void match(BsonValue expected, @Nullable BsonValue actual, boolean isRoot, String path) {
        if (expected.isDocument() && isOperator(expected.asDocument())) {
            operator(expected.asDocument(), actual, isRoot, path);
        } else if (expected.isDocument()) {
            matchDocument(expected.asDocument(), actual, isRoot, path);
        } else if (expected.isArray()) {
            matchArray(expected.asArray(), actual, isRoot, path);
        } else if (actual == null || !isEqual(expected, actual)) {
            throw mismatch(path, expected, actual);
        }
    }

    private void matchDocument(BsonDocument expected, @Nullable BsonValue actual, boolean isRoot, String path) {
        if (actual == null || !actual.isDocument()) {
            throw mismatch(path, expected, actual);
        }
        BsonDocument document = actual.asDocument();
        for (Map.Entry<String, BsonValue> each : expected.entrySet()) {
            String name = each.getKey();
            String inner = path.isEmpty() ? name : path + "." + name;
            BsonValue value = each.getValue();
            BsonValue found = document.get(name);
            boolean mayBeMissing = value.isDocument()
                    && isOperator(value.asDocument())
                    && List.of("$$exists", "$$unsetOrMatches", "$$sessionLsid")
                            .contains(value.asDocument().getFirstKey());
            if (found == null && !mayBeMissing) {
                throw new AssertionError(inner + " is missing; expected " + text(value) + " in " + text(document));
            }
            match(value, found, false, inner);
        }
        if (!isRoot) {
            for (String name : document.keySet()) {
                if (!expected.containsKey(name)) {
                    throw new AssertionError("unexpected " + (path.isEmpty() ? name : path + "." + name) + " in "
                            + text(document) + "; expected " + text(expected));
                }
            }
        }
    }

    private void matchArray(BsonArray expected, @Nullable BsonValue actual, boolean isRoot, String path) {
        if (actual == null || !actual.isArray() || actual.asArray().size() != expected.size()) {
            throw mismatch(path, expected, actual);
        }
        for (int i = 0; i < expected.size(); i++) {
            match(expected.get(i), actual.asArray().get(i), isRoot, path + "[" + i + "]");
        }
    }

    private static boolean isOperator(BsonDocument document) {
        return document.size() == 1 && document.getFirstKey().startsWith("$$");
    }

    private void operator(BsonDocument expected, @Nullable BsonValue actual, boolean isRoot, String path) {
        String operator = expected.getFirstKey();
        BsonValue operand = Objects.requireNonNull(expected.get(operator));
        switch (operator) {
            case "$$exists" -> {
                if (operand.asBoolean().getValue() != (actual != null)) {
                    throw mismatch(path, expected, actual);
                }
            }
            case "$$unsetOrMatches" -> {
                if (actual != null) {
                    match(operand, actual, isRoot, path);
                }
            }
            case "$$type" -> type(operand, actual, path);
            case "$$matchesEntity" -> match(entities.value(operand.asString().getValue()), actual, isRoot, path);
            case "$$matchesHexBytes" -> {
                if (actual == null
                        || !actual.isBinary()
                        || !HexFormat.of()
                                .formatHex(actual.asBinary().getData())
                                .equals(operand.asString().getValue().toLowerCase(Locale.ROOT))) {
                    throw mismatch(path, expected, actual);
                }
            }
            case "$$matchAsDocument" -> match(operand, parsed(actual, path), false, path);
            case "$$matchAsRoot" -> match(operand, actual, true, path);
            case "$$sessionLsid" -> {
                DrivenSession session = entities.session(operand.asString().getValue());
                BsonDocument lsid = entities.lsid(session);
                if (!lsid.equals(actual)) {
                    throw new AssertionError(path + " is " + text(actual) + ", not the session " + text(lsid));
                }
            }
            case "$$lte" -> {
                if (actual == null
                        || !actual.isNumber()
                        || actual.asNumber().doubleValue() > operand.asNumber().doubleValue()) {
                    throw mismatch(path, expected, actual);
                }
            }
            default -> throw new IllegalStateException("unknown operator '" + operator + "'");
        }
    }

    private static BsonValue parsed(@Nullable BsonValue actual, String path) {
        if (actual == null || !actual.isString()) {
            throw new AssertionError(path + " is " + text(actual) + ", not a string to be read as a document");
        }
        try {
            return BsonDocument.parse(actual.asString().getValue());
        } catch (RuntimeException e) {
            throw new AssertionError(path + " cannot be read as a document: " + text(actual), e);
        }
    }

    private static void type(BsonValue operand, @Nullable BsonValue actual, String path) {
        BsonArray names = operand.isArray() ? operand.asArray() : new BsonArray(List.of(operand));
        boolean matches = actual != null
                && names.stream()
                        .anyMatch(each -> isOfType(actual, each.asString().getValue()));
        if (!matches) {
            throw new AssertionError(path + " is " + text(actual) + ", not of type " + operand);
        }
    }

    private static boolean isOfType(BsonValue value, String name) {
        BsonType type = value.getBsonType();
        return switch (name) {
            case "double" -> type == BsonType.DOUBLE;
            case "string" -> type == BsonType.STRING;
            case "object" -> type == BsonType.DOCUMENT;
            case "array" -> type == BsonType.ARRAY;
            case "binData" -> type == BsonType.BINARY;
            case "undefined" -> type == BsonType.UNDEFINED;
            case "objectId" -> type == BsonType.OBJECT_ID;
            case "bool" -> type == BsonType.BOOLEAN;
            case "date" -> type == BsonType.DATE_TIME;
            case "null" -> type == BsonType.NULL;
            case "regex" -> type == BsonType.REGULAR_EXPRESSION;
            case "dbPointer" -> type == BsonType.DB_POINTER;
            case "javascript" -> type == BsonType.JAVASCRIPT;
            case "symbol" -> type == BsonType.SYMBOL;
            case "javascriptWithScope" -> type == BsonType.JAVASCRIPT_WITH_SCOPE;
            case "int" -> type == BsonType.INT32;
            case "timestamp" -> type == BsonType.TIMESTAMP;
            case "long" -> type == BsonType.INT64;
            case "decimal" -> type == BsonType.DECIMAL128;
            case "minKey" -> type == BsonType.MIN_KEY;
            case "maxKey" -> type == BsonType.MAX_KEY;
            case "number" -> value.isNumber();
            default -> throw new IllegalStateException("unknown type '" + name + "'");
        };
    }

    /** Numbers are equal by value, whatever their type. */
    static boolean isEqual(BsonValue expected, BsonValue actual) {
        if (expected.isNumber() && actual.isNumber()) {
            return (isWhole(expected) && isWhole(actual))
                    ? expected.asNumber().longValue() == actual.asNumber().longValue()
                    : expected.asNumber().doubleValue() == actual.asNumber().doubleValue();
        }
        return expected.equals(actual);
    }

    private static boolean isWhole(BsonValue value) {
        return value.isInt32() || value.isInt64();
    }

    private static AssertionError mismatch(String path, BsonValue expected, @Nullable BsonValue actual) {
        return new AssertionError(
                (path.isEmpty() ? "" : path + ": ") + "expected " + text(expected) + " but was " + text(actual));
    }

    static String text(@Nullable BsonValue value) {
        if (value == null) {
            return "missing";
        }
        return value.isDocument() ? value.asDocument().toJson() : value.toString();
    }
}
