package dev.semel.server.plan;

import dev.semel.query.filter.Condition;
import dev.semel.query.filter.Filter;
import dev.semel.query.value.DottedPath;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;

/** Whether every document that matches one filter matches another for sure: only then may a partial index be used. */
final class Implication {
    private Implication() {}

    static boolean implies(Filter query, Filter partial) {
        if (query.equals(partial)) {
            return true;
        }
        return switch (partial) {
            case Filter.Always(boolean answer) -> answer;
            case Filter.And(List<Filter> all) -> all.stream().allMatch(each -> implies(query, each));
            case Filter.Or(List<Filter> any) ->
                any.stream().anyMatch(each -> implies(query, each)) || anyConjunct(query, partial);
            case Filter.Field field -> anyConjunct(query, field);
            default -> false;
        };
    }

    private static boolean anyConjunct(Filter query, Filter partial) {
        return switch (query) {
            case Filter.And(List<Filter> all) -> all.stream().anyMatch(each -> implies(each, partial));
            case Filter.Or(List<Filter> any) -> any.stream().allMatch(each -> implies(each, partial));
            case Filter.Field(DottedPath path, Condition condition) ->
                partial instanceof Filter.Field(DottedPath wanted, Condition demanded)
                        && path.equals(wanted)
                        && implies(condition, demanded);
            default -> false;
        };
    }

    /** Both about one value: whichever value meets the first meets the second. */
    private static boolean implies(Condition condition, Condition demanded) {
        if (condition.equals(demanded)) {
            return true;
        }
        if (demanded instanceof Condition.Exists) {
            return !new Filter.Field(DottedPath.of("a"), condition).matches(RawDocument.EMPTY);
        }
        if (hasArray(condition) || hasArray(demanded) || condition instanceof Condition.ElemMatch) {
            return false;
        }
        ConditionBounds from = ConditionBounds.of(condition);
        ConditionBounds to = ConditionBounds.of(demanded);
        boolean comparable = from.collation().equals(to.collation())
                || from.intervals().areFree()
                || to.intervals().areFree();
        if (!comparable) {
            return false;
        }
        boolean wholeKinds = demanded instanceof Condition.Type type && coversKinds(type);
        if (!wholeKinds && to.exact() != Exactness.ALWAYS) {
            return false;
        }
        Intervals outside = from.intervals().intersect(to.intervals().complement());
        return outside.isEmpty();
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
