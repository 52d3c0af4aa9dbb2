package dev.semel.query.filter;

import dev.semel.query.geo.GeoPredicate;
import dev.semel.query.geo.NearQuery;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the operators of one field: {@code {$gt: 1, $lt: 5}}. */
final class FieldFilters {
    /** The vertices of a shape and the index of its edges take about five times as much as what it is read from. */
    private static final int SHAPE_BYTES_PER_PART = 100;

    private final Filters filters;
    private final DottedPath path;
    private final int depth;

    FieldFilters(Filters filters, DottedPath path, int depth) {
        this.filters = filters;
        this.path = path;
        this.depth = depth;
    }

    void parse(RawDocument operators, List<Filter> into) {
        if (operators.first() instanceof Element(String first, Value ignored) && isNear(first)) {
            // The one operator whose options stand beside it.
            filters.requireSearch();
            into.add(new Filter.Near(path, NearQuery.parse(operators.detached())));
            return;
        }
        for (Element element : operators) {
            operator(element.name(), element.value(), operators, into);
        }
    }

    private void operator(String name, Value value, RawDocument all, List<Filter> into) {
        switch (name) {
            case "$eq" -> into.add(field(compare(Comparison.EQ, value)));
            case "$lt" -> into.add(field(compare(Comparison.LT, value)));
            case "$lte" -> into.add(field(compare(Comparison.LTE, value)));
            case "$gt" -> into.add(field(compare(Comparison.GT, value)));
            case "$gte" -> into.add(field(compare(Comparison.GTE, value)));
            case "$ne" -> {
                if (value instanceof Value.Regex) {
                    throw new CommandException(ErrorCode.BadValue, "Can't have regex as arg to $ne.");
                }
                into.add(new Filter.Not(field(compare(Comparison.EQ, value))));
            }
            case "$in" -> into.add(field(in(name, value)));
            case "$nin" -> into.add(new Filter.Not(field(in(name, value))));
            case "$exists" ->
                into.add(truth(value) ? field(new Condition.Exists()) : new Filter.Not(field(new Condition.Exists())));
            case "$type" -> into.add(field(new Condition.Type(someTypes(value))));
            case "$size" -> into.add(field(size(value)));
            case "$mod" -> into.add(field(mod(value)));
            case "$not" -> into.add(not(value));
            case "$regex" -> into.add(field(regex(value, all.get("$options"))));
            case "$options" -> {
                if (!all.has("$regex")) {
                    throw new CommandException(ErrorCode.BadValue, "$options needs a $regex");
                }
            }
            case "$elemMatch" -> into.add(field(elemMatch(value)));
            case "$all" -> all(value, into);
            case "$bitsAllSet" -> into.add(bits(name, value, Condition.Bits.Wanted.ALL_SET));
            case "$bitsAllClear" -> into.add(bits(name, value, Condition.Bits.Wanted.ALL_CLEAR));
            case "$bitsAnySet" -> into.add(bits(name, value, Condition.Bits.Wanted.ANY_SET));
            case "$bitsAnyClear" -> into.add(bits(name, value, Condition.Bits.Wanted.ANY_CLEAR));
            case "$comment" -> {}
            case "$geoIntersects", "$geoWithin", "$within" -> {
                filters.scope().environment().parsed(1 + all.length() / SHAPE_BYTES_PER_PART);
                into.add(field(new Condition.Geo(GeoPredicate.parse(name, value, all))));
                // A shape of many vertices takes long, and the library that validates it cannot be interrupted.
                filters.checkpoint();
            }
            case "$near", "$nearSphere", "$geoNear" ->
                throw new CommandException(ErrorCode.BadValue, "near must be first in: %s", Shell.text(all));
            default -> throw new CommandException(ErrorCode.BadValue, "unknown operator: %s", name);
        }
    }

    private static boolean isNear(String operator) {
        return operator.equals("$near") || operator.equals("$nearSphere") || operator.equals("$geoNear");
    }

    private Filter field(Condition condition) {
        return new Filter.Field(path, condition);
    }

    private Condition compare(Comparison comparison, Value value) {
        if (value.type() == BsonType.UNDEFINED) {
            throw Filters.cannotCompareToUndefined();
        }
        if (value instanceof Value.Regex && comparison != Comparison.EQ) {
            throw new CommandException(
                    ErrorCode.BadValue, "Can't have RegEx as arg to predicate over field '%s'.", path);
        }
        return new Condition.Compare(comparison, value, filters.collation());
    }

    private Condition in(String operator, Value value) {
        if (!(value instanceof Value.Array(RawDocument elements))) {
            throw new CommandException(ErrorCode.BadValue, "%s needs an array", operator);
        }
        var values = new ArrayList<Value>();
        var patterns = new ArrayList<RegexPattern>();
        for (Element element : elements) {
            switch (element.value()) {
                case Value.Regex(String pattern, String options) ->
                    patterns.add(filters.scope().regex(pattern, options));
                case Value.Doc(RawDocument document)
                when Filters.beginsWithOperator(document) ->
                    throw new CommandException(ErrorCode.BadValue, "cannot nest $ under %s", operator);
                case Value.Constant constant
                when constant == Value.UNDEFINED ->
                    throw new CommandException(ErrorCode.BadValue, "InMatchExpression equality cannot be undefined");
                default -> {
                    values.add(element.value());
                    filters.scope().listed(values.size());
                }
            }
        }
        return new Condition.In(values, patterns, filters.collation());
    }

    /** As the query language sees truth: everything but false, zero, null and undefined. */
    static boolean truth(Value value) {
        return switch (value) {
            case Value.Bool(boolean bool) -> bool;
            case Value.Int32(int number) -> number != 0;
            case Value.Int64(long number) -> number != 0;
            case Value.Double64(double number) -> number != 0;
            case Value.Decimal(Decimal128 number) -> !number.isZero();
            case Value.Constant constant -> constant != Value.NULL && constant != Value.UNDEFINED;
            default -> true;
        };
    }

    private Set<BsonType> someTypes(Value value) {
        if (value instanceof Value.Array(RawDocument elements) && elements.isEmpty()) {
            throw new CommandException(ErrorCode.FailedToParse, "%s must match at least one type", path);
        }
        return types(value);
    }

    static Set<BsonType> types(Value value) {
        Set<BsonType> types = EnumSet.noneOf(BsonType.class);
        if (value instanceof Value.Array(RawDocument elements)) {
            for (Element element : elements) {
                types.addAll(type(element.value()));
            }
        } else {
            types.addAll(type(value));
        }
        if (types.isEmpty()) {
            throw new CommandException(ErrorCode.FailedToParse, "$type must match at least one type");
        }
        return types;
    }

    private static Set<BsonType> type(Value value) {
        if (value instanceof Value.Str(var alias)) {
            return typesNamed(alias.toString());
        }
        if (!Numbers.isNumber(value)) {
            throw new CommandException(ErrorCode.TypeMismatch, "type must be represented as a number or a string");
        }
        var code = Numbers.exactLong(value);
        if (code.isPresent()) {
            // MinKey's byte is 255, which JavaScript programs write as -1.
            long wanted = code.getAsLong() == -1 ? BsonType.MIN_KEY.code() : code.getAsLong();
            for (BsonType type : BsonType.values()) {
                if (type.code() == wanted && (type != BsonType.MIN_KEY || code.getAsLong() == -1)) {
                    return Set.of(type);
                }
            }
        }
        throw new CommandException(
                ErrorCode.BadValue,
                "Invalid numerical type code: %s%s",
                Shell.text(value).replaceAll("\\.0$", ""),
                Numbers.isZero(value) ? ". Instead use {$exists:false}." : "");
    }

    static Set<BsonType> typesNamed(String alias) {
        if (alias.equals("number")) {
            return Set.of(BsonType.INT32, BsonType.INT64, BsonType.DOUBLE, BsonType.DECIMAL128);
        }
        for (BsonType type : BsonType.values()) {
            if (type.alias().equals(alias)) {
                return Set.of(type);
            }
        }
        throw new CommandException(ErrorCode.BadValue, "Unknown type name alias: %s", alias);
    }

    private static Condition size(Value value) {
        try {
            return new Condition.Size(WholeNumbers.parseNonNegative("$size", value, ErrorCode.BadValue));
        } catch (CommandException e) {
            throw e.withMessage("Failed to parse $size. " + e.text());
        }
    }

    private static Condition mod(Value value) {
        if (!(value instanceof Value.Array(RawDocument elements))) {
            throw new CommandException(ErrorCode.BadValue, "malformed mod, needs to be an array");
        }
        int size = elements.size();
        if (size < 2) {
            throw new CommandException(ErrorCode.BadValue, "malformed mod, not enough elements");
        }
        if (size > 2) {
            throw new CommandException(ErrorCode.BadValue, "malformed mod, too many elements");
        }
        var each = elements.iterator();
        long divisor = modPart("divisor", each.next().value());
        long remainder = modPart("remainder", each.next().value());
        if (divisor == 0) {
            throw new CommandException(ErrorCode.BadValue, "divisor cannot be 0");
        }
        return new Condition.Mod(divisor, remainder);
    }

    private static long modPart(String name, Value value) {
        if (!Numbers.isNumber(value)) {
            throw new CommandException(ErrorCode.BadValue, "malformed mod, %s not a number", name);
        }
        var number = WholeNumbers.truncated(value);
        if (number.isEmpty()) {
            throw new CommandException(
                    ErrorCode.BadValue,
                    "malformed mod, %s value is invalid :: caused by :: Unable to coerce NaN/Inf to integral type",
                    name);
        }
        return number.getAsLong();
    }

    private Filter not(Value value) {
        return switch (value) {
            case Value.Regex(String pattern, String options) ->
                new Filter.Not(field(new Condition.Regex(filters.scope().regex(pattern, options))));
            case Value.Doc(RawDocument operators) -> {
                if (operators.isEmpty()) {
                    throw new CommandException(ErrorCode.BadValue, "$not cannot be empty");
                }
                yield new Filter.Not(nested(operators));
            }
            default -> throw new CommandException(ErrorCode.BadValue, "$not needs a regex or a document");
        };
    }

    private Filter nested(RawDocument operators) {
        var inner = new ArrayList<Filter>();
        new FieldFilters(filters, path, filters.deeper(depth)).parse(operators, inner);
        return Filters.and(inner);
    }

    private RegexPattern pattern(Value value, @Nullable Value options) {
        if (options != null && !(options instanceof Value.Str)) {
            throw new CommandException(ErrorCode.BadValue, "$options has to be a string");
        }
        String flags = options instanceof Value.Str(var text) ? text.toString() : "";
        return switch (value) {
            case Value.Str(var text) -> filters.scope().regex(text.toString(), flags);
            case Value.Symbol(var text) -> filters.scope().regex(text.toString(), flags);
            case Value.Regex(String pattern, String own) -> {
                if (!own.isEmpty() && !flags.isEmpty()) {
                    throw new CommandException(ErrorCode.location(51075), "options set in both $regex and $options");
                }
                yield filters.scope().regex(pattern, own.isEmpty() ? flags : own);
            }
            default -> throw new CommandException(ErrorCode.BadValue, "$regex has to be a string");
        };
    }

    private Condition regex(Value value, @Nullable Value options) {
        return new Condition.Regex(pattern(value, options));
    }

    private Condition elemMatch(Value value) {
        if (!(value instanceof Value.Doc(RawDocument query))) {
            throw new CommandException(ErrorCode.BadValue, "$elemMatch needs an Object");
        }
        if (isOfValues(query)) {
            var all = new ArrayList<Filter>();
            new FieldFilters(filters, path, filters.deeper(depth)).parse(query, all);
            var conditions = all.stream().map(FieldFilters::ofElement).toList();
            return new Condition.ElemMatchValue(
                    conditions.size() == 1 ? conditions.getFirst() : new Condition.All(conditions));
        }
        return new Condition.ElemMatchDocument(filters.element(query, depth + 1));
    }

    /** {@code $and} and its like ask whole elements, not their values. */
    private static boolean isOfValues(RawDocument query) {
        var first = query.cursor();
        if (!first.next() || !Filters.isOperator(first.name())) {
            return false;
        }
        return switch (first.name()) {
            case "$and",
                    "$or",
                    "$nor",
                    "$where",
                    "$expr",
                    "$jsonSchema",
                    "$text",
                    "$sampleRate",
                    "$alwaysTrue",
                    "$alwaysFalse" -> false;
            default -> true;
        };
    }

    /** The same question about an element as was parsed about the values of a field. */
    private static Condition ofElement(Filter filter) {
        return switch (filter) {
            case Filter.Field(var path, Condition condition) -> condition;
            case Filter.Not(Filter denied) -> new Condition.Not(ofElement(denied));
            case Filter.And(var all) ->
                new Condition.All(all.stream().map(FieldFilters::ofElement).toList());
            case Filter.Always(boolean answer) -> {
                var always = new Condition.All(List.of());
                yield answer ? always : new Condition.Not(always);
            }
            case Filter.Near ignored ->
                throw new CommandException(ErrorCode.BadValue, "geo $near must be top-level expr");
            default -> throw new IllegalStateException("not about a field: " + filter);
        };
    }

    private void all(Value value, List<Filter> into) {
        if (!(value instanceof Value.Array(RawDocument elements))) {
            throw new CommandException(ErrorCode.BadValue, "$all needs an array");
        }
        if (elements.isEmpty()) {
            into.add(new Filter.Always(false));
            return;
        }
        Element first = elements.iterator().next();
        boolean elemMatches = isElemMatch(first.value());
        var all = new ArrayList<Filter>();
        for (Element element : elements) {
            filters.scope().environment().parsed(1);
            all.add(elemMatches ? allElemMatch(element.value()) : allValue(element.value()));
        }
        into.add(Filters.and(all));
    }

    private static boolean isElemMatch(Value value) {
        return value instanceof Value.Doc(RawDocument document)
                && document.first() instanceof Element(String name, Value ignored)
                && name.equals("$elemMatch");
    }

    private Filter allElemMatch(Value value) {
        if (!isElemMatch(value) || !(value instanceof Value.Doc(RawDocument document))) {
            throw new CommandException(ErrorCode.BadValue, "$all/$elemMatch has to be consistent");
        }
        return nested(document);
    }

    private Filter allValue(Value value) {
        return switch (value) {
            case Value.Doc(RawDocument document)
            when Filters.beginsWithOperator(document) ->
                throw new CommandException(ErrorCode.BadValue, "no $ expressions in $all");
            case Value.Regex(String pattern, String options) ->
                field(new Condition.Regex(filters.scope().regex(pattern, options)));
            default -> field(compare(Comparison.EQ, value));
        };
    }

    private Filter bits(String operator, Value value, Condition.Bits.Wanted wanted) {
        return field(new Condition.Bits(BitMask.parse(path.toString(), operator, value), wanted));
    }
}
