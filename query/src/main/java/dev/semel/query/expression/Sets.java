package dev.semel.query.expression;

import dev.semel.query.value.Collation;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * {@code $setUnion $setIntersection $setDifference $setEquals $setIsSubset $allElementsTrue $anyElementTrue}: arrays as
 * sets. Unions and intersections are sorted; a difference keeps the order in which its members were first met.
 */
final class Sets {
    /** What an entry of a sorted set takes, in plain values. */
    private static final int ENTRY_VALUES = 2;

    private Sets() {}

    private static Set<Value> empty(Collation collation) {
        return new TreeSet<>(collation::compare);
    }

    /** The elements as objects, which the function then holds. */
    private static Set<Value> set(RawDocument elements, Collation collation, Scratch scratch) {
        Set<Value> set = empty(collation);
        for (var at = elements.cursor(); at.next(); ) {
            set.add(at.value());
            scratch.collecting(ENTRY_VALUES * set.size());
        }
        scratch.keep();
        return set;
    }

    static Value union(@Nullable Value[] arguments, Collation collation, Scratch scratch) {
        Set<Value> united = empty(collation);
        for (Value argument : arguments) {
            if (Types.isNullish(argument)) {
                return Value.NULL;
            }
            united.addAll(set(operand(argument, 17043, "$setUnion"), collation, scratch));
        }
        return array(united, scratch);
    }

    private static Value array(Set<Value> members, Scratch scratch) {
        BsonWriter result = new BsonWriter(64);
        for (Value member : members) {
            result.add(member);
            scratch.building(result);
        }
        return result.finishArray();
    }

    private static RawDocument operand(@Nullable Value value, int code, String function) {
        if (!(value instanceof Value.Array(var elements))) {
            throw Types.wrong(
                    code,
                    "All operands of %s must be arrays. One argument is of type: %s",
                    function,
                    Types.name(value));
        }
        return elements;
    }

    static Value intersection(@Nullable Value[] arguments, Collation collation, Scratch scratch) {
        Set<Value> common = empty(collation);
        for (int i = 0; i < arguments.length; i++) {
            if (Types.isNullish(arguments[i])) {
                return Value.NULL;
            }
            Set<Value> members = set(operand(arguments[i], 17047, "$setIntersection"), collation, scratch);
            if (i == 0) {
                common.addAll(members);
            } else {
                common.removeIf(each -> !members.contains(each));
            }
        }
        return array(common, scratch);
    }

    static Value difference(@Nullable Value[] arguments, Collation collation, Scratch scratch) {
        if (Types.anyNullish(arguments)) {
            return Value.NULL;
        }
        RawDocument from = binary(arguments[0], 17048, "$setDifference", "First");
        Set<Value> without = set(binary(arguments[1], 17049, "$setDifference", "Second"), collation, scratch);
        return members(from, collation, value -> !without.contains(value), scratch);
    }

    private static Value members(RawDocument elements, Collation collation, Predicate<Value> wanted, Scratch scratch) {
        Set<Value> seen = empty(collation);
        BsonWriter result = new BsonWriter(64);
        for (var at = elements.cursor(); at.next(); ) {
            Value value = at.value();
            if (wanted.test(value) && seen.add(value)) {
                result.add(at);
                scratch.building(2L * result.length() + 100L * seen.size());
            }
        }
        return result.finishArray();
    }

    private static RawDocument binary(@Nullable Value value, int code, String function, String which) {
        if (!(value instanceof Value.Array(var elements))) {
            throw Types.wrong(
                    code,
                    "both operands of %s must be arrays. %s argument is of type: %s",
                    function,
                    which,
                    Types.name(value));
        }
        return elements;
    }

    static Expression equal(String name, Value operand, Parser parser) {
        List<Expression> arguments = parser.operands(operand);
        if (arguments.size() < 2) {
            throw Types.wrong(17045, "$setEquals needs at least two arguments had: %d", arguments.size());
        }
        return new Expression.Call(
                Function.building(
                        name, (values, scratch) -> equal(values, parser.scope().collation(), scratch)),
                arguments);
    }

    private static Value equal(@Nullable Value[] arguments, Collation collation, Scratch scratch) {
        boolean equal = true;
        Set<Value> first = empty(collation);
        for (int i = 0; i < arguments.length; i++) {
            if (!(arguments[i] instanceof Value.Array(var elements))) {
                throw Types.wrong(
                        17044,
                        "All operands of $setEquals must be arrays. %d-th argument is of type: %s",
                        i + 1,
                        Types.name(arguments[i]));
            }
            Set<Value> set = set(elements, collation, scratch);
            if (i == 0) {
                first = set;
            } else {
                equal &= first.size() == set.size() && first.containsAll(set);
            }
        }
        return Value.of(equal);
    }

    static Value isSubset(@Nullable Value[] arguments, Collation collation, Scratch scratch) {
        RawDocument of = binary(arguments[0], 17046, "$setIsSubset", "First");
        Set<Value> whole = set(binary(arguments[1], 17042, "$setIsSubset", "Second"), collation, scratch);
        return Value.of(whole.containsAll(set(of, collation, scratch)));
    }

    static Value allElementsTrue(@Nullable Value[] arguments) {
        RawDocument elements = single(arguments[0], 17040, "$allElementsTrue");
        for (var at = elements.cursor(); at.next(); ) {
            if (!Types.isTrue(at.value())) {
                return Value.FALSE;
            }
        }
        return Value.TRUE;
    }

    static Value anyElementTrue(@Nullable Value[] arguments) {
        RawDocument elements = single(arguments[0], 17041, "$anyElementTrue");
        for (var at = elements.cursor(); at.next(); ) {
            if (Types.isTrue(at.value())) {
                return Value.TRUE;
            }
        }
        return Value.FALSE;
    }

    private static RawDocument single(@Nullable Value value, int code, String function) {
        if (!(value instanceof Value.Array(var elements))) {
            throw Types.wrong(code, "%s's argument must be an array, but is %s", function, Types.name(value));
        }
        return elements;
    }
}
