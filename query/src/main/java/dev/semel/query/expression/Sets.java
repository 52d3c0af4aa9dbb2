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
    private Sets() {}

    private static Set<Value> empty(Collation collation) {
        return new TreeSet<>(collation::compare);
    }

    private static Set<Value> set(RawDocument elements, Collation collation) {
        Set<Value> set = empty(collation);
        for (var at = elements.cursor(); at.next(); ) {
            set.add(at.value());
        }
        return set;
    }

    static Value union(@Nullable Value[] arguments, Collation collation) {
        Set<Value> united = empty(collation);
        for (Value argument : arguments) {
            if (Types.isNullish(argument)) {
                return Value.NULL;
            }
            united.addAll(set(operand(argument, 17043, "$setUnion"), collation));
        }
        return array(united);
    }

    private static Value array(Set<Value> members) {
        BsonWriter result = new BsonWriter(64);
        for (Value member : members) {
            result.add(member);
            Sizes.check(result);
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

    static Value intersection(@Nullable Value[] arguments, Collation collation) {
        Set<Value> common = empty(collation);
        for (int i = 0; i < arguments.length; i++) {
            if (Types.isNullish(arguments[i])) {
                return Value.NULL;
            }
            Set<Value> members = set(operand(arguments[i], 17047, "$setIntersection"), collation);
            if (i == 0) {
                common.addAll(members);
            } else {
                common.removeIf(each -> !members.contains(each));
            }
        }
        return array(common);
    }

    static Value difference(@Nullable Value[] arguments, Collation collation) {
        if (Types.anyNullish(arguments)) {
            return Value.NULL;
        }
        RawDocument from = binary(arguments[0], 17048, "$setDifference", "First");
        Set<Value> without = set(binary(arguments[1], 17049, "$setDifference", "Second"), collation);
        return members(from, collation, value -> !without.contains(value));
    }

    private static Value members(RawDocument elements, Collation collation, Predicate<Value> wanted) {
        Set<Value> seen = empty(collation);
        BsonWriter result = new BsonWriter(64);
        for (var at = elements.cursor(); at.next(); ) {
            Value value = at.value();
            if (wanted.test(value) && seen.add(value)) {
                result.add(at);
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
                new Function(name, values -> equal(values, parser.scope().collation())), arguments);
    }

    private static Value equal(@Nullable Value[] arguments, Collation collation) {
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
            Set<Value> set = set(elements, collation);
            if (i == 0) {
                first = set;
            } else {
                equal &= first.size() == set.size() && first.containsAll(set);
            }
        }
        return Value.of(equal);
    }

    static Value isSubset(@Nullable Value[] arguments, Collation collation) {
        RawDocument of = binary(arguments[0], 17046, "$setIsSubset", "First");
        Set<Value> whole = set(binary(arguments[1], 17042, "$setIsSubset", "Second"), collation);
        return Value.of(whole.containsAll(set(of, collation)));
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
