package dev.semel.query.expression;

import dev.semel.query.value.Collation;
import dev.semel.query.value.Numbers;
import dev.semel.query.value.SortOrder;
import dev.semel.query.value.SortPattern;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** {@code $firstN $lastN $minN $maxN $sortArray}: some elements of an array, or all in another order. */
public final class Selection {
    static final Parameters SEVERAL =
            Parameters.of(5787801, 5787901).required("n", 5787906).required("input", 5787907);

    private Selection() {}

    /** How many are wanted: a positive int. */
    public static int count(@Nullable Value value) {
        if (!Numbers.isNumber(value)) {
            throw Types.wrong(5787902, "Value for 'n' must be of integral type, but found %s", Types.show(value));
        }
        OptionalLong number = Numbers.exactLong(value);
        if (number.isEmpty()) {
            throw Types.wrong(5787903, "Value for 'n' must be of integral type, but found %s", Types.show(value));
        }
        if (number.getAsLong() <= 0) {
            throw Types.wrong(5787908, "'n' must be greater than 0, found %d", number.getAsLong());
        }
        return (int) Math.min(Integer.MAX_VALUE, number.getAsLong());
    }

    static Value firstN(@Nullable Value[] arguments, Scratch scratch) {
        int count = count(arguments[0]);
        List<Value> values = input(arguments[1], scratch);
        return Arrays.array(values.subList(0, Math.min(count, values.size())), scratch);
    }

    static Value lastN(@Nullable Value[] arguments, Scratch scratch) {
        int count = count(arguments[0]);
        List<Value> values = input(arguments[1], scratch);
        return Arrays.array(values.subList(values.size() - Math.min(count, values.size()), values.size()), scratch);
    }

    static Value minN(@Nullable Value[] arguments, Collation collation, Scratch scratch) {
        return extremes(arguments, collation::compare, scratch);
    }

    static Value maxN(@Nullable Value[] arguments, Collation collation, Scratch scratch) {
        return extremes(arguments, (a, b) -> collation.compare(b, a), scratch);
    }

    private static Value extremes(@Nullable Value[] arguments, Comparator<Value> order, Scratch scratch) {
        int count = count(arguments[0]);
        return Arrays.array(
                input(arguments[1], scratch).stream()
                        .filter(value -> !Types.isNullish(value))
                        .sorted(order)
                        .limit(count)
                        .toList(),
                scratch);
    }

    private static List<Value> input(@Nullable Value value, Scratch scratch) {
        if (!(value instanceof Value.Array(RawDocument elements))) {
            throw Types.wrong(5788200, "Input must be an array");
        }
        return Arrays.list(elements, scratch);
    }

    // ---- $sortArray

    private static final Parameters SORT = Parameters.of(2942500, 2942501)
            .saying(Parameters.FOUND, Parameters.REQUIRES)
            .required("input", 2942502)
            .required("sortBy", 2942503);

    static Expression sort(String name, Value operand, Parser parser) {
        var given = SORT.parse(name, operand);
        Comparator<Value> order = order(given.require("sortBy"), parser.scope().collation());
        return new Expression.Call(
                Function.building(name, (values, scratch) -> sort(values[0], order, scratch)),
                List.of(given.expression("input", parser)));
    }

    /** By the values themselves, or by fields of the elements that are documents. */
    private static Comparator<Value> order(Value sortBy, Collation collation) {
        if (sortBy instanceof Value.Doc(RawDocument pattern)) {
            if (pattern.isEmpty()) {
                throw Types.wrong(2942505, "$sortArray needs at least one sort key in 'sortBy'");
            }
            SortOrder order = new SortOrder(SortPattern.parse(pattern, collation));
            return (a, b) -> order.compare(document(a), document(b));
        }
        OptionalLong direction = Numbers.exactLong(sortBy);
        if (direction.isEmpty() || Math.abs(direction.getAsLong()) != 1) {
            throw Types.wrong(
                    2942507,
                    "Invalid sort specification for $sortArray: sortBy must be an object, 1 or -1: %s",
                    Types.show(sortBy));
        }
        Comparator<Value> ascending = collation::compare;
        return direction.getAsLong() > 0 ? ascending : ascending.reversed();
    }

    /** What is no document has none of the fields that it is sorted by. */
    private static RawDocument document(Value value) {
        return value instanceof Value.Doc(RawDocument document) ? document : RawDocument.EMPTY;
    }

    private static Value sort(@Nullable Value input, Comparator<Value> order, Scratch scratch) {
        if (Types.isNullish(input)) {
            return Value.NULL;
        }
        if (!(input instanceof Value.Array(RawDocument elements))) {
            throw Types.wrong(
                    2942504,
                    "The input argument to $sortArray must be an array, but was of type: %s",
                    Types.name(input));
        }
        List<Value> values = Arrays.list(elements, scratch);
        values.sort(order);
        return Arrays.array(values, scratch);
    }
}
