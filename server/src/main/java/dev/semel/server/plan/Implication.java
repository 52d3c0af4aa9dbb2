package dev.semel.server.plan;

import dev.semel.query.filter.Condition;
import dev.semel.query.filter.Filter;
import dev.semel.query.value.DottedPath;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Whether every document that matches one filter matches another for sure: only then may a partial index be used. Comparing
 * two large filters ends after so many steps, and the index is not used: the parts of one are compared with those of the
 * other, of nested ones on many ways.
 */
final class Implication {
    /** Each the comparison of two intervals of values. */
    private static final int STEPS_MAX = 400_000;

    /** For each comparison of two parts. */
    private static final int PART_STEPS = 8;

    private static final int VALUES_COMPARED_MAX = 100;

    private final IdentityHashMap<Condition, Known> known = new IdentityHashMap<>();
    private int steps;

    private Implication() {}

    static boolean implies(Filter query, Filter partial) {
        return query.equals(partial) || new Implication().holds(query, partial);
    }

    private boolean isAffordable(int more) {
        steps += more;
        return steps <= STEPS_MAX;
    }

    private boolean holds(Filter query, Filter partial) {
        return isAffordable(PART_STEPS)
                && switch (partial) {
                    case Filter.Always(boolean answer) -> answer;
                    case Filter.And(List<Filter> all) -> all.stream().allMatch(each -> holds(query, each));
                    case Filter.Or(List<Filter> any) ->
                        any.stream().anyMatch(each -> holds(query, each)) || anyConjunct(query, partial);
                    case Filter.Field field -> anyConjunct(query, field);
                    default -> query.equals(partial);
                };
    }

    private boolean anyConjunct(Filter query, Filter partial) {
        return switch (query) {
            case Filter.And(List<Filter> all) -> all.stream().anyMatch(each -> holds(each, partial));
            case Filter.Or(List<Filter> any) -> any.stream().allMatch(each -> holds(each, partial));
            case Filter.Field(DottedPath path, Condition condition) ->
                partial instanceof Filter.Field(DottedPath wanted, Condition demanded)
                        && path.equals(wanted)
                        && holds(condition, demanded);
            default -> false;
        };
    }

    /** Both about one value: whichever value meets the first meets the second. */
    private boolean holds(Condition condition, Condition demanded) {
        if (isSame(condition, demanded)) {
            return true;
        }
        if (demanded instanceof Condition.Exists) {
            return !new Filter.Field(DottedPath.of("a"), condition).matches(RawDocument.EMPTY);
        }
        Known from = known(condition);
        Known to = known(demanded);
        if (from.hasArray || to.hasArray || condition instanceof Condition.ElemMatch) {
            return false;
        }
        boolean comparable = from.bounds.collation().equals(to.bounds.collation()) || from.areFree || to.areFree;
        if (!comparable) {
            return false;
        }
        boolean wholeKinds = demanded instanceof Condition.Type type && coversKinds(type);
        if (!wholeKinds && to.bounds.exact() != Exactness.ALWAYS) {
            return false;
        }
        return areWithin(from.bounds.intervals().list(), to.bounds.intervals().list());
    }

    /** Lists of many values are compared by their intervals. */
    private static boolean isSame(Condition condition, Condition demanded) {
        if (condition instanceof Condition.In in && in.values().size() > VALUES_COMPARED_MAX) {
            return condition == demanded;
        }
        return condition.equals(demanded);
    }

    private boolean areWithin(List<Interval> from, List<Interval> to) {
        int at = 0;
        for (Interval each : from) {
            while (at < to.size() && to.get(at).compareHigh(each) < 0) {
                at++;
                if (!isAffordable(1)) {
                    return false;
                }
            }
            if (!isAffordable(1) || at == to.size() || to.get(at).compareLow(each) > 0) {
                return false;
            }
        }
        return true;
    }

    /** What is worked out once for each condition, however many others it is compared with. */
    private record Known(ConditionBounds bounds, boolean areFree, boolean hasArray) {}

    private Known known(Condition condition) {
        return known.computeIfAbsent(condition, each -> {
            ConditionBounds bounds = ConditionBounds.of(each);
            return new Known(bounds, bounds.intervals().areFree(), hasArray(each));
        });
    }

    /** A kind of values may have several types, of which the condition may name only some. */
    private static boolean coversKinds(Condition.Type type) {
        return type.types().stream().noneMatch(each -> switch (each) {
            case DOUBLE, INT32, INT64, DECIMAL128 ->
                type.types().stream().filter(t -> t.isNumber()).count() < 4;
            case STRING, SYMBOL, ARRAY, NULL, UNDEFINED -> true;
            default -> false;
        });
    }

    private static boolean hasArray(Condition condition) {
        return switch (condition) {
            case Condition.Compare compare -> compare.value() instanceof Value.Array;
            case Condition.In in -> in.values().stream().anyMatch(each -> each instanceof Value.Array);
            default -> false;
        };
    }
}
