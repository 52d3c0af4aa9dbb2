package dev.semel.query.pipeline;

import dev.semel.query.filter.FilterScope;
import dev.semel.query.value.ValueOrder;
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
import org.jspecify.annotations.Nullable;

/** {@code $bucket} and {@code $sortByCount}, which are other words for a {@code $group} and a {@code $sort}. */
final class Buckets {
    private @Nullable Value groupBy;
    private List<Value> boundaries = List.of();
    private @Nullable Value otherwise;
    private @Nullable RawDocument output;

    private Buckets() {}

    static List<RawDocument> sortByCount(Value expression) {
        boolean isObject = expression instanceof Value.Doc;
        if (!isObject && !(expression instanceof Value.Str)) {
            throw wrong(40149, "the sortByCount field must be specified as a string or as an object");
        }
        if (!isExpression(expression)) {
            throw wrong(
                    isObject ? 40147 : 40148,
                    "the sortByCount field must be defined as a $-prefixed path or an expression inside an object");
        }
        RawDocument group = new BsonWriter()
                .startDocument("$group")
                .put("_id", expression)
                .put("count", count())
                .end()
                .finish();
        return List.of(group, sorted("count", -1));
    }

    static RawDocument count() {
        return new BsonWriter().put("$sum", 1).finish();
    }

    private static RawDocument sorted(String field, int direction) {
        return new BsonWriter()
                .startDocument("$sort")
                .put(field, direction)
                .end()
                .finish();
    }

    static boolean isExpression(Value value) {
        return switch (value) {
            case Value.Str(Text text) -> text.toString().startsWith("$");
            case Value.Doc(RawDocument document) -> {
                Element first = document.first();
                yield first != null && first.name().startsWith("$");
            }
            default -> false;
        };
    }

    static List<RawDocument> bucket(Value specification, FilterScope scope) {
        if (!(specification instanceof Value.Doc(RawDocument options))) {
            throw wrong(
                    40201,
                    "Argument to $bucket stage must be an object, but found type: %s.",
                    specification.type().alias());
        }
        Buckets buckets = new Buckets();
        options.forEach(option -> buckets.option(option, scope));
        return buckets.stages();
    }

    private void option(Element option, FilterScope scope) {
        Value value = option.value();
        switch (option.name()) {
            case "groupBy" -> {
                if (!isExpression(value)) {
                    throw wrong(
                            40202,
                            "The $bucket 'groupBy' field must be defined as a $-prefixed path or an expression, but"
                                    + " found: %s.",
                            Shell.text(value));
                }
                groupBy = value;
            }
            case "boundaries" -> boundaries = boundaries(value, scope);
            case "default" -> {
                if (isExpression(value)) {
                    throw wrong(
                            40195,
                            "The $bucket 'default' field must be a constant expression, but found: %s.",
                            Shell.text(value));
                }
                otherwise = value;
            }
            case "output" -> {
                if (!(value instanceof Value.Doc(RawDocument fields))) {
                    throw wrong(
                            40196,
                            "The $bucket 'output' field must be an object, but found type: %s.",
                            value.type().alias());
                }
                output = fields;
            }
            default -> throw wrong(40197, "Unrecognized option to $bucket: %s.", option.name());
        }
    }

    private static List<Value> boundaries(Value value, FilterScope scope) {
        if (!(value instanceof Value.Array(RawDocument elements))) {
            throw wrong(
                    40200,
                    "The $bucket 'boundaries' field must be an array, but found type: %s.",
                    value.type().alias());
        }
        List<Value> values = new ArrayList<>();
        for (Element element : elements) {
            if (isExpression(element.value())) {
                throw wrong(
                        40191,
                        "The $bucket 'boundaries' field must be an array of constant values, but found: %s.",
                        Shell.text(element.value()));
            }
            values.add(element.value());
        }
        if (values.size() < 2) {
            throw wrong(
                    40192,
                    "The $bucket 'boundaries' field must have at least 2 values, but found %d value(s).",
                    values.size());
        }
        for (int i = 1; i < values.size(); i++) {
            Value low = values.get(i - 1);
            Value high = values.get(i);
            if (ValueOrder.kind(low) != ValueOrder.kind(high)) {
                throw wrong(
                        40193,
                        "All values in the 'boundaries' option to $bucket must have the same type. Found conflicting"
                                + " types %s and %s.",
                        low.type().alias(),
                        high.type().alias());
            }
            if (scope.collation().compare(low, high) >= 0) {
                throw wrong(
                        40194,
                        "The 'boundaries' option to $bucket must be sorted, but elements %d and %d are not in ascending"
                                + " order (%s is not less than %s).",
                        i - 1,
                        i,
                        Shell.text(low),
                        Shell.text(high));
            }
        }
        return values;
    }

    private List<RawDocument> stages() {
        if (groupBy == null || boundaries.isEmpty()) {
            throw wrong(40198, "$bucket requires 'groupBy' and 'boundaries' to be specified.");
        }
        if (otherwise != null
                && ValueOrder.kind(otherwise) == ValueOrder.kind(boundaries.getFirst())
                && ValueOrder.compare(otherwise, boundaries.getFirst()) >= 0
                && ValueOrder.compare(otherwise, boundaries.getLast()) < 0) {
            throw wrong(
                    40199,
                    "The $bucket 'default' field must be less than the lowest boundary or greater than or equal to the"
                            + " highest boundary.");
        }
        BsonWriter group = new BsonWriter().startDocument("$group").put("_id", choice(groupBy));
        if (output == null) {
            group.put("count", count());
        } else {
            group.copyAll(output);
        }
        return List.of(group.end().finish(), sorted("_id", 1));
    }

    /** The lowest value of the bucket that a document belongs to. */
    private RawDocument choice(Value expression) {
        BsonWriter choice = new BsonWriter().startDocument("$switch").startArray("branches");
        for (int i = 1; i < boundaries.size(); i++) {
            RawDocument low = literal(boundaries.get(i - 1));
            choice.startDocument().startDocument("case").startArray("$and");
            compare(choice, "$gte", expression, low);
            compare(choice, "$lt", expression, literal(boundaries.get(i)));
            choice.end().end().put("then", low).end();
        }
        choice.end();
        if (otherwise != null) {
            choice.put("default", literal(otherwise));
        }
        return choice.end().finish();
    }

    private static void compare(BsonWriter out, String operator, Value expression, RawDocument with) {
        out.startDocument().startArray(operator).add(expression).add(with).end().end();
    }

    private static RawDocument literal(Value value) {
        return new BsonWriter().put("$literal", value).finish();
    }

    private static CommandException wrong(int code, String message, Object... arguments) {
        return new CommandException(ErrorCode.location(code), message, arguments);
    }
}
