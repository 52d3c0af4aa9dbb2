package dev.semel.query.expression;

import dev.semel.query.value.Collation;
import dev.semel.query.value.Numbers;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code $arrayElemAt $first $last $concatArrays $in $indexOfArray $range $reverseArray $size $slice $zip}: arrays by
 * position.
 */
final class Arrays {
    private Arrays() {}

    // ---- one element

    static @Nullable Value elementAt(@Nullable Value[] arguments) {
        if (Types.anyNullish(arguments)) {
            return Value.NULL;
        }
        if (!(arguments[0] instanceof Value.Array(var elements))) {
            throw Types.wrong(
                    28689, "$arrayElemAt's first argument must be an array, but is %s", Types.name(arguments[0]));
        }
        if (!Numbers.isNumber(arguments[1])) {
            throw Types.wrong(
                    28690,
                    "$arrayElemAt's second argument must be a numeric value, but is %s",
                    Types.name(arguments[1]));
        }
        Integer index = Arithmetic.asInt32(arguments[1]);
        if (index == null) {
            throw Types.wrong(
                    28691,
                    "$arrayElemAt's second argument must be representable as a 32-bit integer: %s",
                    Types.show(arguments[1]));
        }
        return element(elements, index);
    }

    static @Nullable Value first(@Nullable Value[] arguments) {
        return end("$first", arguments[0], 0);
    }

    static @Nullable Value last(@Nullable Value[] arguments) {
        return end("$last", arguments[0], -1);
    }

    private static @Nullable Value end(String function, @Nullable Value value, int index) {
        if (Types.isNullish(value)) {
            return Value.NULL;
        }
        if (!(value instanceof Value.Array(var elements))) {
            throw Types.wrong(28689, "%s's argument must be an array, but is %s", function, Types.name(value));
        }
        return element(elements, index);
    }

    /** Counted from the end if negative. */
    private static @Nullable Value element(RawDocument elements, int index) {
        int position = index < 0 ? elements.size() + index : index;
        ElementCursor at = elements.cursor();
        for (int i = 0; position >= 0 && at.next(); i++) {
            if (i == position) {
                return at.value();
            }
        }
        return null;
    }

    // ---- the whole array

    static Value concat(@Nullable Value[] arguments, Scratch scratch) {
        BsonWriter all = new BsonWriter(64);
        for (Value argument : arguments) {
            if (Types.isNullish(argument)) {
                return Value.NULL;
            }
            if (!(argument instanceof Value.Array(var elements))) {
                throw Types.wrong(28664, "$concatArrays only supports arrays, not %s", Types.name(argument));
            }
            for (ElementCursor at = elements.cursor(); at.next(); ) {
                all.add(at);
                scratch.building(all);
            }
        }
        return all.finishArray();
    }

    static Value reverse(@Nullable Value[] arguments, Scratch scratch) {
        if (Types.isNullish(arguments[0])) {
            return Value.NULL;
        }
        if (!(arguments[0] instanceof Value.Array(var elements))) {
            throw Types.wrong(
                    34435,
                    "The argument to $reverseArray must be an array, but was of type: %s",
                    Types.name(arguments[0]));
        }
        return array(list(elements, scratch).reversed(), scratch);
    }

    /** The elements as objects, which the function then holds. */
    static List<Value> list(RawDocument elements, Scratch scratch) {
        List<Value> values = new ArrayList<>();
        for (ElementCursor at = elements.cursor(); at.next(); ) {
            values.add(at.value());
            scratch.collecting(values.size());
        }
        scratch.keep();
        return values;
    }

    static Value array(Iterable<Value> values, Scratch scratch) {
        BsonWriter writer = new BsonWriter(64);
        for (Value value : values) {
            writer.add(value);
            scratch.building(writer);
        }
        return writer.finishArray();
    }

    static Value size(@Nullable Value[] arguments) {
        if (!(arguments[0] instanceof Value.Array(var elements))) {
            throw Types.wrong(
                    17124, "The argument to $size must be an array, but was of type: %s", Types.name(arguments[0]));
        }
        return Value.of(elements.size());
    }

    // ---- searching

    static Value in(@Nullable Value[] arguments, Collation collation) {
        if (!(arguments[1] instanceof Value.Array(var elements))) {
            throw Types.wrong(40081, "$in requires an array as a second argument, found: %s", Types.name(arguments[1]));
        }
        return Value.of(indexOf(elements, arguments[0], 0, Integer.MAX_VALUE, collation) >= 0);
    }

    static Value indexOf(@Nullable Value[] arguments, Collation collation) {
        if (Types.isNullish(arguments[0])) {
            return Value.NULL;
        }
        if (!(arguments[0] instanceof Value.Array(var elements))) {
            throw Types.wrong(
                    40090, "$indexOfArray requires an array as a first argument, found: %s", Types.name(arguments[0]));
        }
        int start = Strings.position("$indexOfArray", "starting", arguments, 2, 0);
        int end = Strings.position("$indexOfArray", "ending", arguments, 3, Integer.MAX_VALUE);
        return Value.of(indexOf(elements, arguments[1], start, end, collation));
    }

    private static int indexOf(RawDocument elements, @Nullable Value wanted, int start, int end, Collation collation) {
        ElementCursor at = elements.cursor();
        for (int i = 0; i < end && at.next(); i++) {
            if (i >= start && collation.equal(at.value(), wanted)) {
                return i;
            }
        }
        return -1;
    }

    // ---- building

    static Value range(@Nullable Value[] arguments, Scratch scratch) {
        int start = bound(34443, 34444, "starting", arguments[0]);
        int end = bound(34445, 34446, "ending", arguments[1]);
        int step = arguments.length > 2 ? bound(34447, 34448, "step", arguments[2]) : 1;
        if (step == 0) {
            throw Types.wrong(34449, "$range requires a non-zero step value");
        }
        // Each number takes seven bytes at least; what cannot fit is refused before it is begun.
        long least = Math.max(0, ((long) end - start) / step) * 7;
        Sizes.check(least);
        scratch.building(least);
        BsonWriter numbers = new BsonWriter(64);
        for (long at = start; step > 0 ? at < end : at > end; at += step) {
            numbers.add(Value.of((int) at));
            scratch.building(numbers);
        }
        return numbers.finishArray();
    }

    private static int bound(int notANumber, int notAnInt, String which, @Nullable Value value) {
        if (!Numbers.isNumber(value)) {
            throw Types.wrong(
                    notANumber,
                    "$range requires a numeric %s value, found value of type: %s",
                    which,
                    Types.name(value));
        }
        Integer number = Arithmetic.asInt32(value);
        if (number == null) {
            throw Types.wrong(
                    notAnInt,
                    "$range requires a %s value that can be represented as a 32-bit integer, found value: %s",
                    which,
                    Types.show(value));
        }
        return number;
    }

    static Value slice(@Nullable Value[] arguments, Scratch scratch) {
        if (Types.anyNullish(arguments)) {
            return Value.NULL;
        }
        if (!(arguments[0] instanceof Value.Array(var elements))) {
            throw Types.wrong(
                    28724, "First argument to $slice must be an array, but is of type: %s", Types.name(arguments[0]));
        }
        int second = sliceNumber(28725, 28726, "Second", arguments[1]);
        if (arguments.length == 2) {
            return second >= 0
                    ? slice(elements, 0, second, scratch)
                    : slice(elements, elements.size() + (long) second, -second, scratch);
        }
        int count = sliceNumber(28727, 28728, "Third", arguments[2]);
        if (count <= 0) {
            throw Types.wrong(28729, "Third argument to $slice must be positive: %d", count);
        }
        return slice(elements, second >= 0 ? second : Math.max(0, elements.size() + (long) second), count, scratch);
    }

    private static int sliceNumber(int notANumber, int notAnInt, String which, @Nullable Value value) {
        if (!Numbers.isNumber(value)) {
            throw Types.wrong(
                    notANumber,
                    "%s argument to $slice must be a numeric value, but is of type: %s",
                    which,
                    Types.name(value));
        }
        Integer number = Arithmetic.asInt32(value);
        if (number == null) {
            throw Types.wrong(
                    notAnInt,
                    "%s argument to $slice can't be represented as a 32-bit integer: %s",
                    which,
                    Types.show(value));
        }
        return number;
    }

    private static Value slice(RawDocument elements, long from, int count, Scratch scratch) {
        BsonWriter part = new BsonWriter(64);
        ElementCursor at = elements.cursor();
        long end = from + count;
        for (long i = 0; i < end && at.next(); i++) {
            if (i >= from) {
                part.add(at);
                scratch.building(part);
            }
        }
        return part.finishArray();
    }

    // ---- $zip

    private static final Parameters ZIP = Parameters.of(34460, 34464)
            .saying(Parameters.FOUND, "%s requires at least one input array")
            .required("inputs", 34465)
            .optional("defaults")
            .optional("useLongestLength");

    static Expression zip(String name, Value operand, Parser parser) {
        var given = ZIP.parse(name, operand);
        if (!(given.require("inputs") instanceof Value.Array inputs)) {
            throw Types.wrong(
                    34461, "inputs must be an array of expressions, found %s", Types.name(given.value("inputs")));
        }
        List<Expression> arguments = new ArrayList<>(parser.operands(inputs));
        int count = arguments.size();
        if (count == 0) {
            throw Types.wrong(34465, "$zip requires at least one input array");
        }
        boolean longest = longest(given.value("useLongestLength"));
        Value defaults = given.value("defaults");
        if (defaults != null) {
            arguments.addAll(defaults(defaults, count, longest, parser));
        }
        return new Expression.Call(
                Function.building(name, (values, scratch) -> zip(values, count, longest, scratch)),
                List.copyOf(arguments));
    }

    private static boolean longest(@Nullable Value value) {
        return switch (value) {
            case null -> false;
            case Value.Bool(boolean longest) -> longest;
            default -> throw Types.wrong(34463, "useLongestLength must be a bool, found %s", Types.name(value));
        };
    }

    private static List<Expression> defaults(Value defaults, int count, boolean longest, Parser parser) {
        if (!(defaults instanceof Value.Array)) {
            throw Types.wrong(34462, "defaults must be an array of expressions, found %s", Types.name(defaults));
        }
        List<Expression> values = parser.operands(defaults);
        if (!longest) {
            throw Types.wrong(34466, "cannot specify defaults unless useLongestLength is true");
        }
        if (values.size() != count) {
            throw Types.wrong(34467, "defaults and inputs must have the same length");
        }
        return values;
    }

    private static Value zip(@Nullable Value[] values, int count, boolean longest, Scratch scratch) {
        List<List<Value>> inputs = new ArrayList<>();
        int length = longest ? 0 : Integer.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            if (Types.isNullish(values[i])) {
                return Value.NULL;
            }
            if (!(values[i] instanceof Value.Array(var elements))) {
                throw Types.wrong(34468, "$zip found a non-array expression in input: %s", Types.show(values[i]));
            }
            List<Value> list = list(elements, scratch);
            length = longest ? Math.max(length, list.size()) : Math.min(length, list.size());
            inputs.add(list);
        }
        BsonWriter rows = new BsonWriter(64);
        for (int row = 0; row < length; row++) {
            rows.startArray();
            for (int i = 0; i < count; i++) {
                Value otherwise = count + i < values.length ? values[count + i] : null;
                Value cell = row < inputs.get(i).size() ? inputs.get(i).get(row) : otherwise;
                rows.add(cell == null ? Value.NULL : cell);
            }
            rows.end();
            scratch.building(rows);
        }
        return rows.finishArray();
    }
}
