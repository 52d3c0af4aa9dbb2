package dev.semel.driver.model;

import java.util.Arrays;
import java.util.List;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Builders for updates with operators. */
public final class Updates {
    private Updates() {}

    /** Several updates combined into one. */
    public static Bson combine(Bson... updates) {
        return combine(Arrays.asList(updates));
    }

    public static Bson combine(List<? extends Bson> updates) {
        return new Combined(updates, Combined.Repeated.MERGED);
    }

    /** Sets the fields of a document. */
    public static Bson set(Bson fields) {
        return Parts.of("$set", fields);
    }

    public static Bson set(String field, @Nullable Object value) {
        return operator("$set", field, value);
    }

    public static Bson unset(String field) {
        return operator("$unset", field, "");
    }

    public static Bson setOnInsert(Bson fields) {
        return Parts.of("$setOnInsert", fields);
    }

    public static Bson setOnInsert(String field, @Nullable Object value) {
        return operator("$setOnInsert", field, value);
    }

    public static Bson rename(String field, String newName) {
        return operator("$rename", field, newName);
    }

    public static Bson inc(String field, Number number) {
        return operator("$inc", field, number);
    }

    public static Bson mul(String field, Number number) {
        return operator("$mul", field, number);
    }

    public static Bson min(String field, @Nullable Object value) {
        return operator("$min", field, value);
    }

    public static Bson max(String field, @Nullable Object value) {
        return operator("$max", field, value);
    }

    public static Bson currentDate(String field) {
        return operator("$currentDate", field, true);
    }

    public static Bson currentTimestamp(String field) {
        return operator("$currentDate", field, Parts.of("$type", new BsonString("timestamp")));
    }

    public static Bson addToSet(String field, @Nullable Object value) {
        return operator("$addToSet", field, value);
    }

    public static <T extends @Nullable Object> Bson addEachToSet(String field, List<T> values) {
        return operator("$addToSet", field, Parts.of("$each", Parts.Row.of(values)));
    }

    public static Bson push(String field, @Nullable Object value) {
        return operator("$push", field, value);
    }

    public static <T extends @Nullable Object> Bson pushEach(String field, List<T> values) {
        return pushEach(field, values, new PushOptions());
    }

    public static <T extends @Nullable Object> Bson pushEach(String field, List<T> values, PushOptions options) {
        return operator(
                "$push",
                field,
                Parts.of("$each", Parts.Row.of(values))
                        .withIfSet("$position", options.getPosition())
                        .withIfSet("$slice", options.getSlice())
                        .withIfSet("$sort", options.getSort())
                        .withIfSet("$sort", options.getSortDocument()));
    }

    public static Bson pull(String field, @Nullable Object value) {
        return operator("$pull", field, value);
    }

    public static Bson pullByFilter(Bson filter) {
        return Parts.of("$pull", filter);
    }

    public static <T extends @Nullable Object> Bson pullAll(String field, List<T> values) {
        return operator("$pullAll", field, Parts.Row.of(values));
    }

    public static Bson popFirst(String field) {
        return operator("$pop", field, new BsonInt32(-1));
    }

    public static Bson popLast(String field) {
        return operator("$pop", field, new BsonInt32(1));
    }

    public static Bson bitwiseAnd(String field, int mask) {
        return bits(field, "and", mask);
    }

    public static Bson bitwiseAnd(String field, long mask) {
        return bits(field, "and", mask);
    }

    public static Bson bitwiseOr(String field, int mask) {
        return bits(field, "or", mask);
    }

    public static Bson bitwiseOr(String field, long mask) {
        return bits(field, "or", mask);
    }

    public static Bson bitwiseXor(String field, int mask) {
        return bits(field, "xor", mask);
    }

    public static Bson bitwiseXor(String field, long mask) {
        return bits(field, "xor", mask);
    }

    private static Bson bits(String field, String operation, Number mask) {
        return operator("$bit", field, Parts.of(operation, mask));
    }

    private static Bson operator(String operator, String field, @Nullable Object operand) {
        return Parts.of(operator, Parts.of(field, operand));
    }
}
