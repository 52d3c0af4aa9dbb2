package dev.semel.query.pipeline;

import dev.semel.query.expression.Expressions;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Reads {@code $bucketAuto}. */
final class BucketAutoParser {
    private BucketAutoParser() {}

    static Stage parse(Value specification, FilterScope scope) {
        if (!(specification instanceof Value.Doc(RawDocument options))) {
            throw wrong(
                    40240,
                    "The argument to $bucketAuto must be an object, but found type: %s.",
                    specification.type().alias());
        }
        Value groupBy = null;
        int buckets = 0;
        Granularity granularity = null;
        RawDocument output = new BsonWriter().put("count", Buckets.count()).finish();
        for (Element option : options) {
            Value value = option.value();
            switch (option.name()) {
                case "groupBy" -> groupBy = value;
                case "buckets" -> buckets = buckets(value);
                case "output" -> {
                    if (!(value instanceof Value.Doc(RawDocument fields))) {
                        throw wrong(
                                40244,
                                "The $bucketAuto 'output' field must be an object, but found type: %s.",
                                value.type().alias());
                    }
                    output = fields;
                }
                case "granularity" -> {
                    if (!(value instanceof Value.Str(Text name))) {
                        throw wrong(
                                40261,
                                "The $bucketAuto 'granularity' field must be a string, but found type: %s.",
                                value.type().alias());
                    }
                    granularity = Granularity.named(name.toString());
                }
                default -> throw wrong(40245, "Unrecognized option to $bucketAuto: %s.", option.name());
            }
        }
        if (groupBy == null || buckets == 0) {
            throw wrong(40246, "$bucketAuto requires 'groupBy' and 'buckets' to be specified.");
        }
        if (!Buckets.isExpression(groupBy)) {
            throw wrong(
                    40239,
                    "The $bucketAuto 'groupBy' field must be defined as a $-prefixed path or an expression object, but"
                            + " found: %s.",
                    Shell.text(groupBy));
        }
        List<Group.Field> fields = new ArrayList<>();
        for (Element field : output) {
            fields.add(new Group.Field(field.name(), GroupParser.gathering(field, scope.variables())));
        }
        return new BucketAuto(
                Expressions.parse(groupBy, scope.variables()),
                buckets,
                List.copyOf(fields),
                granularity,
                scope.collation());
    }

    private static int buckets(Value value) {
        if (!Numbers.isNumber(value)) {
            throw wrong(
                    40241,
                    "The $bucketAuto 'buckets' field must be a numeric value, but found type: %s.",
                    value.type().alias());
        }
        OptionalLong number = Numbers.exactLong(value);
        if (number.isEmpty() || number.getAsLong() != (int) number.getAsLong()) {
            throw wrong(
                    40242,
                    "The $bucketAuto 'buckets' field must be representable as a 32-bit integer, but found %s.",
                    Shell.text(value));
        }
        if (number.getAsLong() <= 0) {
            throw wrong(
                    40243,
                    "The $bucketAuto 'buckets' field must be greater than 0, but found: %d.",
                    number.getAsLong());
        }
        return (int) number.getAsLong();
    }

    private static CommandException wrong(int code, String message, Object... arguments) {
        return new CommandException(ErrorCode.location(code), message, arguments);
    }
}
