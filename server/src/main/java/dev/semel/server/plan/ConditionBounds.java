package dev.semel.server.plan;

import dev.semel.query.filter.Comparison;
import dev.semel.query.filter.Condition;
import dev.semel.query.filter.RegexPattern;
import dev.semel.query.value.Collation;
import dev.semel.query.value.Numbers;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Where in an index the values are that satisfy a condition.
 *
 * @param intervals no value that satisfies the condition is outside
 * @param collation under which the texts in the intervals are keys: they are of use in an index with the same one
 * @param exact whether every document with an index value inside satisfies the condition, so that it need not be checked again
 */
record ConditionBounds(Intervals intervals, Exactness exact, Collation collation) {
    private static final ConditionBounds ANYTHING = new ConditionBounds(Intervals.ALL, Exactness.NEVER);
    private static final Value POSITIVE_INFINITY = Value.of(Double.POSITIVE_INFINITY);
    private static final Value NEGATIVE_INFINITY = Value.of(Double.NEGATIVE_INFINITY);

    private ConditionBounds(Intervals intervals, Exactness exact) {
        this(intervals, exact, Collation.SIMPLE);
    }

    private ConditionBounds under(Collation other) {
        return new ConditionBounds(intervals, exact, other);
    }

    static ConditionBounds of(Condition condition) {
        return switch (condition) {
            case Condition.Compare compare ->
                compare(compare.comparison(), compare.key()).under(compare.collation());
            case Condition.In in -> in(in);
            case Condition.Exists ignored -> ANYTHING;
            case Condition.Type type -> types(type);
            case Condition.Size ignored -> ANYTHING;
            case Condition.Mod ignored -> new ConditionBounds(Intervals.ofKind(BsonType.INT32), Exactness.NEVER);
            case Condition.Bits ignored ->
                new ConditionBounds(
                        Intervals.ofKind(BsonType.INT32).union(Intervals.ofKind(BsonType.BINARY)), Exactness.NEVER);
            case Condition.Regex(RegexPattern pattern) -> new ConditionBounds(regex(pattern), Exactness.NEVER);
            case Condition.ElemMatchValue(Condition inner) -> {
                ConditionBounds bounds = of(inner);
                yield new ConditionBounds(bounds.intervals, Exactness.NEVER, bounds.collation);
            }
            case Condition.Geo ignored -> ANYTHING;
            case Condition.ElemMatchDocument ignored -> ANYTHING;
            case Condition.All(List<Condition> all) -> all(all);
            case Condition.Not ignored -> ANYTHING;
        };
    }

    private static ConditionBounds all(List<Condition> all) {
        Intervals common = Intervals.ALL;
        Collation collation = Collation.SIMPLE;
        for (Condition each : all) {
            ConditionBounds bounds = of(each);
            boolean agrees = bounds.collation.equals(collation) || common.areFree() || bounds.intervals.areFree();
            if (agrees) {
                collation = common.areFree() ? bounds.collation : collation;
                common = common.intersect(bounds.intervals);
            }
        }
        return new ConditionBounds(common, Exactness.NEVER, collation);
    }

    private static ConditionBounds in(Condition.In in) {
        List<Interval> any = new ArrayList<>();
        Exactness exact = in.patterns().isEmpty() ? Exactness.ALWAYS : Exactness.NEVER;
        for (Value value : in.keys()) {
            ConditionBounds each = equal(value);
            any.addAll(each.intervals.list());
            exact = exact.and(each.exact);
        }
        for (RegexPattern pattern : in.patterns()) {
            Intervals matched = in.collation().isSimple() ? regex(pattern) : anyText(pattern);
            any.addAll(matched.list());
        }
        return new ConditionBounds(Intervals.union(any), exact, in.collation());
    }

    private static ConditionBounds types(Condition.Type type) {
        List<Interval> any = new ArrayList<>();
        for (BsonType each : type.types()) {
            // An index has the elements of an array and not the array itself.
            if (each == BsonType.ARRAY) {
                return ANYTHING;
            }
            any.addAll(Intervals.ofKind(each).list());
        }
        return new ConditionBounds(Intervals.union(any), Exactness.NEVER);
    }

    private static Intervals regex(RegexPattern pattern) {
        String prefix = pattern.prefix();
        if (prefix.isEmpty()) {
            return anyText(pattern);
        }
        // The prefix has no surrogates, and the code point after the last one that is none is the next in order.
        int last = prefix.length() - 1;
        char next = prefix.charAt(last) == 0xD7FF ? 0xE000 : (char) (prefix.charAt(last) + 1);
        if (next == 0) {
            return anyText(pattern);
        }
        Value end = Value.of(prefix.substring(0, last) + next);
        return Intervals.of(new Interval(Value.of(prefix), true, end, false)).union(itself(pattern));
    }

    private static Intervals anyText(RegexPattern pattern) {
        return Intervals.ofKind(BsonType.STRING).union(itself(pattern));
    }

    private static Intervals itself(RegexPattern pattern) {
        return Intervals.point(new Value.Regex(pattern.pattern(), pattern.options()));
    }

    private static ConditionBounds compare(Comparison comparison, Value value) {
        if (comparison == Comparison.EQ) {
            return equal(value);
        }
        boolean inclusive = comparison == Comparison.LTE || comparison == Comparison.GTE;
        boolean below = comparison == Comparison.LT || comparison == Comparison.LTE;
        if (value.equals(Value.NULL)) {
            return inclusive ? equal(value) : new ConditionBounds(Intervals.NONE, Exactness.ALWAYS);
        }
        if (value instanceof Value.Array) {
            return ANYTHING;
        }
        if (value.equals(Value.MIN_KEY) || value.equals(Value.MAX_KEY)) {
            return extreme(below, inclusive, value);
        }
        if (Numbers.isNaN(value)) {
            return new ConditionBounds(inclusive ? Intervals.point(value) : Intervals.NONE, Exactness.ALWAYS);
        }
        Interval kind = Intervals.ofKind(value.type()).list().getFirst();
        Interval wanted;
        if (below) {
            Value low = value.type().isNumber() ? NEGATIVE_INFINITY : kind.low();
            wanted = new Interval(low, kind.lowInclusive(), value, inclusive);
        } else {
            Value high = value.type().isNumber() ? POSITIVE_INFINITY : kind.high();
            wanted = new Interval(value, inclusive, high, kind.highInclusive());
        }
        return new ConditionBounds(Intervals.of(wanted), Exactness.ALWAYS);
    }

    /** MinKey and MaxKey compare with values of every type. */
    private static ConditionBounds extreme(boolean below, boolean inclusive, Value value) {
        boolean isMin = value.equals(Value.MIN_KEY);
        if (below == isMin) {
            return new ConditionBounds(inclusive ? Intervals.point(value) : Intervals.NONE, Exactness.NEVER);
        }
        return ANYTHING;
    }

    private static ConditionBounds equal(Value value) {
        return switch (value) {
            case Value.Array(RawDocument elements) -> {
                // The index has the array's elements; and arrays that are elements themselves as a whole.
                var first = elements.cursor();
                Value element = first.next() ? first.value() : Value.UNDEFINED;
                yield new ConditionBounds(Intervals.point(element).union(Intervals.point(value)), Exactness.NEVER);
            }
            case Value.Constant constant
            when constant == Value.NULL -> new ConditionBounds(Intervals.point(value), Exactness.WITHOUT_ARRAYS);
            default -> new ConditionBounds(Intervals.point(value), Exactness.ALWAYS);
        };
    }
}
