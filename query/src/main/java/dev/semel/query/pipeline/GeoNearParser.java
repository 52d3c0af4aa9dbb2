package dev.semel.query.pipeline;

import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.query.filter.Nearness;
import dev.semel.query.geo.NearQuery;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** Reads {@code $geoNear}. Unknown options are ignored, as MongoDB does. */
final class GeoNearParser {
    private GeoNearParser() {}

    static GeoNear parse(Value specification, FilterScope scope) {
        if (!(specification instanceof Value.Doc(RawDocument options))) {
            throw new CommandException(
                    ErrorCode.location(10065), "invalid parameter: expected an object (%s)", GeoNear.NAME);
        }
        refuseFormer(options);
        Value given = options.get("near");
        if (given == null) {
            throw new CommandException(ErrorCode.location(5860400), "$geoNear requires a 'near' argument");
        }
        Expression near = Expressions.parse(given, scope.variables());
        DottedPath distanceField =
                path(options, "distanceField", "$geoNear requires a 'distanceField' option as a String");
        Double maxDistance = distance(options, "maxDistance", 7555702, scope);
        Double minDistance = distance(options, "minDistance", 7555701, scope);
        Double multiplier = multiplier(options.get("distanceMultiplier"));
        Filter query = query(options.get("query"), scope);
        DottedPath includeLocs = options.has("includeLocs")
                ? path(options, "includeLocs", "$geoNear requires that 'includeLocs' option is a String")
                : null;
        DottedPath key = key(options.get("key"));
        boolean spherical = isTrue(options.get("spherical"));
        NearQuery search = search(constant(near), spherical, minDistance, maxDistance);
        return new GeoNear(key, search, query, distanceField, includeLocs, multiplier == null ? 1 : multiplier);
    }

    private static void refuseFormer(RawDocument options) {
        if (options.has("collation")) {
            throw new CommandException(
                    ErrorCode.location(40227),
                    "$geoNear does not accept the 'collation' parameter. Instead, specify a collation for the entire "
                            + "aggregation command.");
        }
        if (options.has("limit")) {
            throw new CommandException(
                    ErrorCode.location(50858),
                    "$geoNear no longer supports the 'limit' parameter. Use a $limit stage instead.");
        }
        if (options.has("num")) {
            throw new CommandException(
                    ErrorCode.location(50857),
                    "$geoNear no longer supports the 'num' parameter. Use a $limit stage instead.");
        }
        if (options.has("start")) {
            throw new CommandException(ErrorCode.location(50856), "$geoNear no longer supports the 'start' argument.");
        }
    }

    private static DottedPath path(RawDocument options, String name, String otherwise) {
        if (!(options.get(name) instanceof Value.Str(var text))) {
            throw new CommandException(ErrorCode.location(name.equals("includeLocs") ? 16607 : 16606), "%s", otherwise);
        }
        return DottedPath.ofField(text.toString());
    }

    /** An expression, as long as it is constant. */
    private static @Nullable Double distance(RawDocument options, String name, int code, FilterScope scope) {
        Value given = options.get(name);
        if (given == null) {
            return null;
        }
        if (!(Expressions.parse(given, scope.variables()) instanceof Expression.Literal(var value))) {
            throw new CommandException(
                    ErrorCode.location(code), "$geoNear requires $%s to evaluate to a constant number", name);
        }
        if (value == null || !Numbers.isNumber(value)) {
            throw new CommandException(ErrorCode.TypeMismatch, "$geoNear requires $%s to evaluate to a number", name);
        }
        return nonNegative(value, name);
    }

    private static @Nullable Double multiplier(@Nullable Value value) {
        if (value == null) {
            return null;
        }
        if (!Numbers.isNumber(value)) {
            throw new CommandException(ErrorCode.TypeMismatch, "distanceMultiplier must be a number");
        }
        return nonNegative(value, "distanceMultiplier");
    }

    private static double nonNegative(Value value, String name) {
        double number = Numbers.doubleOf(value);
        if (!(number >= 0)) {
            throw new CommandException(ErrorCode.BadValue, "%s must be nonnegative", name);
        }
        return number;
    }

    private static Filter query(@Nullable Value value, FilterScope scope) {
        if (value == null) {
            return Filters.ALL;
        }
        if (!(value instanceof Value.Doc(RawDocument query))) {
            throw new CommandException(ErrorCode.TypeMismatch, "query must be an object");
        }
        Filter parsed = Filters.parseSearch(query, scope);
        if (Nearness.of(parsed) != null) {
            throw new CommandException(ErrorCode.BadValue, "Too many geoNear expressions");
        }
        return parsed;
    }

    private static @Nullable DottedPath key(@Nullable Value value) {
        if (value == null) {
            return null;
        }
        if (!(value instanceof Value.Str(var text))) {
            throw new CommandException(
                    ErrorCode.TypeMismatch,
                    "$geoNear parameter 'key' must be of type string but found type: %s",
                    value.type().alias());
        }
        if (text.isEmpty()) {
            throw new CommandException(ErrorCode.BadValue, "$geoNear parameter 'key' cannot be the empty string");
        }
        return DottedPath.ofField(text.toString());
    }

    private static boolean isTrue(@Nullable Value value) {
        return value != null && Expressions.isTrue(value);
    }

    private static Value constant(Expression near) {
        if (!(near instanceof Expression.Literal(var value))) {
            throw new CommandException(ErrorCode.location(5860402), "$geoNear requires a constant near argument");
        }
        if (!(value instanceof Value.Doc) && !(value instanceof Value.Array)) {
            throw new CommandException(
                    ErrorCode.location(5860401),
                    "$geoNear requires near argument to be a GeoJSON object or a legacy point(array)");
        }
        return value;
    }

    /** The stage means the same as an operator of a filter. */
    private static NearQuery search(
            Value centre, boolean spherical, @Nullable Double minDistance, @Nullable Double maxDistance) {
        BsonWriter operators = new BsonWriter().put(spherical ? "$nearSphere" : "$near", centre);
        if (minDistance != null) {
            operators.put("$minDistance", minDistance);
        }
        if (maxDistance != null) {
            operators.put("$maxDistance", maxDistance);
        }
        return NearQuery.parse(operators.finish());
    }
}
