package dev.semel.driver.model;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.bson.BsonArray;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonRegularExpression;
import org.bson.BsonType;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Filters of the query language. */
public final class Filters {
    private Filters() {}

    /** Matches the document with this id. */
    public static Bson eq(@Nullable Object id) {
        return eq("_id", id);
    }

    public static Bson eq(String field, @Nullable Object value) {
        return Parts.of(field, value);
    }

    public static Bson ne(String field, @Nullable Object value) {
        return operator(field, "$ne", value);
    }

    public static Bson gt(String field, @Nullable Object value) {
        return operator(field, "$gt", value);
    }

    public static Bson lt(String field, @Nullable Object value) {
        return operator(field, "$lt", value);
    }

    public static Bson gte(String field, @Nullable Object value) {
        return operator(field, "$gte", value);
    }

    public static Bson lte(String field, @Nullable Object value) {
        return operator(field, "$lte", value);
    }

    public static Bson in(String field, @Nullable Object... values) {
        return in(field, Arrays.asList(values));
    }

    public static Bson in(String field, Iterable<? extends @Nullable Object> values) {
        return operator(field, "$in", Parts.Row.of(values));
    }

    public static Bson nin(String field, @Nullable Object... values) {
        return nin(field, Arrays.asList(values));
    }

    public static Bson nin(String field, Iterable<? extends @Nullable Object> values) {
        return operator(field, "$nin", Parts.Row.of(values));
    }

    public static Bson and(Iterable<? extends Bson> filters) {
        return Parts.of("$and", Parts.Row.of(filters));
    }

    public static Bson and(Bson... filters) {
        return and(Arrays.asList(filters));
    }

    public static Bson or(Iterable<? extends Bson> filters) {
        return Parts.of("$or", Parts.Row.of(filters));
    }

    public static Bson or(Bson... filters) {
        return or(Arrays.asList(filters));
    }

    /** Matches what the filter does not. */
    public static Bson not(Bson filter) {
        return new Negation(filter);
    }

    public static Bson nor(Bson... filters) {
        return nor(Arrays.asList(filters));
    }

    public static Bson nor(Iterable<? extends Bson> filters) {
        return Parts.of("$nor", Parts.Row.of(filters));
    }

    public static Bson exists(String field) {
        return exists(field, true);
    }

    public static Bson exists(String field, boolean exists) {
        return operator(field, "$exists", exists);
    }

    public static Bson type(String field, BsonType type) {
        return operator(field, "$type", new BsonInt32(type.getValue()));
    }

    /** By the name of the type, such as {@code number}. */
    public static Bson type(String field, String type) {
        return operator(field, "$type", type);
    }

    public static Bson mod(String field, long divisor, long remainder) {
        return operator(field, "$mod", new BsonArray(List.of(new BsonInt64(divisor), new BsonInt64(remainder))));
    }

    public static Bson regex(String field, String pattern) {
        return regex(field, pattern, null);
    }

    public static Bson regex(String field, String pattern, @Nullable String options) {
        return Parts.of(field, new BsonRegularExpression(pattern, options));
    }

    public static Bson regex(String field, Pattern pattern) {
        return Parts.of(field, pattern);
    }

    public static Bson text(String search) {
        return text(search, new TextSearchOptions());
    }

    public static Bson text(String search, TextSearchOptions options) {
        return Parts.of(
                "$text",
                Parts.of("$search", search)
                        .withIfSet("$language", options.getLanguage())
                        .withIfSet("$caseSensitive", options.getCaseSensitive())
                        .withIfSet("$diacriticSensitive", options.getDiacriticSensitive()));
    }

    /** With a JavaScript function, if the server supports it. */
    public static Bson where(String function) {
        return Parts.of("$where", function);
    }

    /** With an expression of the aggregation language. */
    public static Bson expr(Object expression) {
        return Parts.of("$expr", expression);
    }

    public static Bson all(String field, @Nullable Object... values) {
        return all(field, Arrays.asList(values));
    }

    public static Bson all(String field, Iterable<? extends @Nullable Object> values) {
        return operator(field, "$all", Parts.Row.of(values));
    }

    public static Bson elemMatch(String field, Bson filter) {
        return operator(field, "$elemMatch", filter);
    }

    public static Bson size(String field, int size) {
        return operator(field, "$size", size);
    }

    public static Bson bitsAllClear(String field, long mask) {
        return operator(field, "$bitsAllClear", mask);
    }

    public static Bson bitsAllSet(String field, long mask) {
        return operator(field, "$bitsAllSet", mask);
    }

    public static Bson bitsAnyClear(String field, long mask) {
        return operator(field, "$bitsAnyClear", mask);
    }

    public static Bson bitsAnySet(String field, long mask) {
        return operator(field, "$bitsAnySet", mask);
    }

    /** Inside a shape in GeoJSON. */
    public static Bson geoWithin(String field, Bson geometry) {
        return operator(field, "$geoWithin", Parts.of("$geometry", geometry));
    }

    public static Bson geoWithinBox(
            String field, double lowerLeftX, double lowerLeftY, double upperRightX, double upperRightY) {
        return operator(
                field,
                "$geoWithin",
                Parts.of(
                        "$box",
                        Parts.Row.of(List.of(numbers(lowerLeftX, lowerLeftY), numbers(upperRightX, upperRightY)))));
    }

    public static Bson geoWithinPolygon(String field, List<List<Double>> points) {
        return operator(field, "$geoWithin", Parts.of("$polygon", Parts.Row.of(points)));
    }

    public static Bson geoWithinCenter(String field, double x, double y, double radius) {
        return operator(field, "$geoWithin", Parts.of("$center", circle(x, y, radius)));
    }

    public static Bson geoWithinCenterSphere(String field, double x, double y, double radius) {
        return operator(field, "$geoWithin", Parts.of("$centerSphere", circle(x, y, radius)));
    }

    /** Touching a shape in GeoJSON. */
    public static Bson geoIntersects(String field, Bson geometry) {
        return operator(field, "$geoIntersects", Parts.of("$geometry", geometry));
    }

    /** Near a point in GeoJSON, distances in metres. */
    public static Bson near(String field, Bson geometry, @Nullable Double maxDistance, @Nullable Double minDistance) {
        return nearGeometry(field, "$near", geometry, maxDistance, minDistance);
    }

    public static Bson near(
            String field, double x, double y, @Nullable Double maxDistance, @Nullable Double minDistance) {
        return nearPoint(field, "$near", numbers(x, y), maxDistance, minDistance);
    }

    public static Bson nearSphere(
            String field, Bson geometry, @Nullable Double maxDistance, @Nullable Double minDistance) {
        return nearGeometry(field, "$nearSphere", geometry, maxDistance, minDistance);
    }

    public static Bson nearSphere(
            String field, double x, double y, @Nullable Double maxDistance, @Nullable Double minDistance) {
        return nearPoint(field, "$nearSphere", numbers(x, y), maxDistance, minDistance);
    }

    public static Bson jsonSchema(Bson schema) {
        return Parts.of("$jsonSchema", schema);
    }

    /** Matches everything. */
    public static Bson empty() {
        return Parts.empty();
    }

    private static Bson operator(String field, String operator, @Nullable Object operand) {
        return Parts.of(field, Parts.of(operator, operand));
    }

    private static BsonArray numbers(double x, double y) {
        return new BsonArray(List.of(new BsonDouble(x), new BsonDouble(y)));
    }

    private static BsonArray circle(double x, double y, double radius) {
        return new BsonArray(List.of(numbers(x, y), new BsonDouble(radius)));
    }

    private static Bson nearGeometry(
            String field, String operator, Bson geometry, @Nullable Double maxDistance, @Nullable Double minDistance) {
        return operator(
                field,
                operator,
                Parts.of("$geometry", geometry)
                        .withIfSet("$maxDistance", maxDistance)
                        .withIfSet("$minDistance", minDistance));
    }

    private static Bson nearPoint(
            String field,
            String operator,
            BsonArray point,
            @Nullable Double maxDistance,
            @Nullable Double minDistance) {
        return Parts.of(
                field,
                Parts.of(operator, point)
                        .withIfSet("$maxDistance", maxDistance)
                        .withIfSet("$minDistance", minDistance));
    }
}
