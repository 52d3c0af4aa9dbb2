package dev.semel.query.pipeline;

import dev.semel.query.expression.TimeUnit;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.Numbers;
import dev.semel.query.value.SortOrder;
import dev.semel.query.value.SortPattern;
import dev.semel.query.value.ValueOrder;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code $densify}: a sort, and the stage itself. */
final class DensifyParser {
    private DensifyParser() {}

    static List<Stage> parse(Value specification, FilterScope scope) {
        IdlOptions options = IdlOptions.ofStage(
                Densify.NAME,
                specification,
                "The %s stage specification must be an object, found %s",
                Set.of("field", "partitionByFields", "range"));
        String field = options.requiredString("field");
        List<String> partitionByFields = options.strings("partitionByFields");
        IdlOptions range = IdlOptions.of(
                Densify.NAME + ".range", options.requiredDocument("range"), Set.of("step", "bounds", "unit"));
        Value step = range.required("step");
        Value given = range.required("bounds");
        String unitName = range.string("unit");
        if (!Numbers.isNumber(step) || ValueOrder.compare(step, Value.of(0)) <= 0) {
            throw wrong(5733401, "The step parameter in a range statement must be a strictly positive numeric value");
        }
        TimeUnit unit = unitName == null ? null : unit(unitName, step);
        Densify.Bounds bounds = bounds(given, step, unit);
        List<DottedPath> partitionBy = partitionByFields == null
                ? List.of()
                : partitionByFields.stream().map(DottedPath::ofField).toList();
        DottedPath path = DottedPath.ofField(field);
        if (bounds instanceof Densify.Bounds.Partition && partitionBy.isEmpty()) {
            throw wrong(
                    5733408,
                    "One cannot specify the bounds as 'partition' without specifying a non-empty array of"
                            + " partitionByFields. You may have meant to specify 'full' bounds.");
        }
        checkPaths(path, partitionBy);
        return stages(new Densify(path, partitionBy, new Densify.Steps(step, unit), bounds), scope);
    }

    private static void checkPaths(DottedPath field, List<DottedPath> partitionBy) {
        if (partitionBy.stream().anyMatch(field::overlaps)) {
            throw wrong(
                    8993000,
                    "BSON field '$densify.partitionByFields' must not contain the densified field or a part of it");
        }
    }

    private static List<Stage> stages(Densify densify, FilterScope scope) {
        List<SortPattern.Part> parts = new ArrayList<>();
        if (!(densify.bounds() instanceof Densify.Bounds.Full)) {
            densify.partitionBy().forEach(path -> parts.add(new SortPattern.Part(path, true)));
        }
        parts.add(new SortPattern.Part(densify.field(), true));
        return List.of(new Sort(new SortOrder(new SortPattern(parts, scope.collation())), Sort.UNLIMITED), densify);
    }

    private static TimeUnit unit(String name, Value step) {
        if (Numbers.exactLong(step).isEmpty()) {
            throw wrong(
                    6586400,
                    "The step parameter in a range statement must be a whole number when densifying a date range");
        }
        return TimeUnit.named(name);
    }

    private static Densify.Bounds bounds(Value given, Value step, @Nullable TimeUnit unit) {
        return switch (given) {
            case Value.Str(Text text) ->
                switch (text.toString()) {
                    case "full" -> new Densify.Bounds.Full();
                    case "partition" -> new Densify.Bounds.Partition();
                    default -> throw wrong(5946802, "Bounds string must either be 'full' or 'partition'");
                };
            case Value.Array(RawDocument elements) -> explicit(elements, step, unit);
            default ->
                throw wrong(
                        5733404,
                        "The bounds in a range statement must be the string 'full', 'partition', or an ascending array"
                                + " of two numbers or two dates");
        };
    }

    private static Densify.Bounds explicit(RawDocument elements, Value step, @Nullable TimeUnit unit) {
        List<Value> ends = new ArrayList<>();
        for (Element element : elements) {
            ends.add(element.value());
        }
        if (ends.size() != 2) {
            throw wrong(5733403, "A bounding array in a range statement must have exactly two elements");
        }
        Value lower = ends.get(0);
        Value upper = ends.get(1);
        if (ValueOrder.compare(lower, upper) > 0) {
            throw wrong(5733402, "A bounding array must be an ascending array of either two dates or two numbers");
        }
        String both = "A bounding array must contain either both dates or both numeric types";
        if (Numbers.isNumber(lower)) {
            if (unit != null) {
                throw wrong(5733409, "Numeric bounds may not have unit parameter");
            }
            if (!Numbers.isNumber(upper)) {
                throw wrong(5733406, both);
            }
            if (lower.type() != upper.type() || lower.type() != step.type()) {
                throw wrong(5876900, "Upper bound, lower bound, and step must all have the same type");
            }
        } else if (lower instanceof Value.Date) {
            if (!(upper instanceof Value.Date)) {
                throw wrong(5733405, both);
            }
            if (unit == null) {
                throw wrong(5733410, "A bounding array of dates must specify a unit");
            }
        } else {
            throw wrong(5946800, "Explicit bounds must be numeric or dates");
        }
        return new Densify.Bounds.Explicit(lower, upper);
    }

    private static CommandException wrong(int code, String message) {
        return new CommandException(ErrorCode.location(code), message);
    }
}
