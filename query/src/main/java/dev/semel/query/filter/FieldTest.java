package dev.semel.query.filter;

import dev.semel.wire.bson.BsonType;
import java.util.Set;

/**
 * How MongoDB explains an operator that asks about values.
 *
 * @param unmet the reason if no value meets it
 * @param met the reason if one does
 * @param types of the values that can meet it; empty for any
 * @param asksElements whether it asks the elements of an array rather than the array
 */
record FieldTest(String unmet, String met, Set<BsonType> types, boolean asksElements) {
    private static final Set<BsonType> ANY = Set.of();
    private static final Set<BsonType> NUMBERS =
            Set.of(BsonType.INT32, BsonType.INT64, BsonType.DOUBLE, BsonType.DECIMAL128);

    static FieldTest of(String operator) {
        return switch (operator) {
            case "$in", "$nin" ->
                new FieldTest("no matching value found in array", "matching value found in array", ANY, true);
            case "$mod" ->
                new FieldTest(
                        "$mod did not evaluate to expected remainder",
                        "$mod did evaluate to expected remainder",
                        NUMBERS,
                        true);
            case "$regex" ->
                new FieldTest(
                        "regular expression did not match",
                        "regular expression did match",
                        Set.of(BsonType.STRING, BsonType.SYMBOL, BsonType.REGEX),
                        true);
            case "$bitsAllSet", "$bitsAllClear", "$bitsAnySet", "$bitsAnyClear" ->
                new FieldTest(
                        "bitwise operator failed to match",
                        "bitwise operator matched successfully",
                        Set.of(BsonType.INT32, BsonType.INT64, BsonType.DOUBLE, BsonType.DECIMAL128, BsonType.BINARY),
                        true);
            case "$size" -> ofArray("array length was not equal to given size", "array length was equal to given size");
            case "$elemMatch" ->
                ofArray("array did not satisfy the child predicate", "array did satisfy the child predicate");
            case "$all" ->
                new FieldTest(
                        "array did not contain all specified values",
                        "array did contain all specified values",
                        ANY,
                        false);
            default -> new FieldTest("comparison failed", "comparison succeeded", ANY, true);
        };
    }

    private static FieldTest ofArray(String unmet, String met) {
        return new FieldTest(unmet, met, Set.of(BsonType.ARRAY), false);
    }
}
