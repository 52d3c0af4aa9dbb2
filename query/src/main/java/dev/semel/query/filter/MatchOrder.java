package dev.semel.query.filter;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The order in which MongoDB looks at conditions that must all hold, whatever the order in which they were written: by their kind,
 * then by their path. It shows where the last of them decides something.
 */
final class MatchOrder {
    private static final Comparator<Filter> ORDER =
            Comparator.<Filter, Kind>comparing(MatchOrder::kind).thenComparing(MatchOrder::path);

    /** In MongoDB's order. */
    private enum Kind {
        OR,
        ELEM_MATCH_DOCUMENT,
        ELEM_MATCH_VALUE,
        SIZE,
        EQ,
        LTE,
        LT,
        GT,
        GTE,
        REGEX,
        MOD,
        EXISTS,
        IN,
        BITS_ALL_SET,
        BITS_ALL_CLEAR,
        BITS_ANY_SET,
        BITS_ANY_CLEAR,
        NOT,
        NOR,
        TYPE,
        GEO,
        WHERE,
        EXPR,
        OTHER
    }

    private MatchOrder() {}

    /** With the parts of parts that are conjunctions themselves. */
    static List<Filter> of(Filter.And and) {
        return parts(and).sorted(ORDER).toList();
    }

    private static Stream<Filter> parts(Filter filter) {
        return filter instanceof Filter.And(List<Filter> all)
                ? all.stream().flatMap(MatchOrder::parts)
                : Stream.of(filter);
    }

    private static String path(Filter filter) {
        return filter instanceof Filter.Field(var path, var condition) ? path.toString() : "";
    }

    private static Kind kind(Filter filter) {
        return switch (filter) {
            case Filter.Or ignored -> Kind.OR;
            case Filter.Field(var path, var condition) -> kindOf(condition);
            case Filter.Not ignored -> Kind.NOT;
            case Filter.Nor ignored -> Kind.NOR;
            case Filter.Script ignored -> Kind.WHERE;
            case Filter.Expr ignored -> Kind.EXPR;
            // They record no element.
            case Filter.And ignored -> Kind.OTHER;
            case Filter.Near ignored -> Kind.OTHER;
            case Filter.Text ignored -> Kind.OTHER;
            case Filter.Always ignored -> Kind.OTHER;
            case Filter.Sample ignored -> Kind.OTHER;
            case Filter.Schema ignored -> Kind.OTHER;
        };
    }

    private static Kind kindOf(Condition condition) {
        return switch (condition) {
            case Condition.ElemMatchDocument ignored -> Kind.ELEM_MATCH_DOCUMENT;
            case Condition.ElemMatchValue ignored -> Kind.ELEM_MATCH_VALUE;
            case Condition.Size ignored -> Kind.SIZE;
            case Condition.Compare compare ->
                switch (compare.comparison()) {
                    case EQ -> Kind.EQ;
                    case LT -> Kind.LT;
                    case LTE -> Kind.LTE;
                    case GT -> Kind.GT;
                    case GTE -> Kind.GTE;
                };
            case Condition.Regex ignored -> Kind.REGEX;
            case Condition.Mod ignored -> Kind.MOD;
            case Condition.Exists ignored -> Kind.EXISTS;
            case Condition.In ignored -> Kind.IN;
            case Condition.Bits(var mask, var wanted) ->
                switch (wanted) {
                    case ALL_SET -> Kind.BITS_ALL_SET;
                    case ALL_CLEAR -> Kind.BITS_ALL_CLEAR;
                    case ANY_SET -> Kind.BITS_ANY_SET;
                    case ANY_CLEAR -> Kind.BITS_ANY_CLEAR;
                };
            case Condition.All ignored -> Kind.NOT;
            case Condition.Not ignored -> Kind.NOT;
            case Condition.Type ignored -> Kind.TYPE;
            case Condition.Geo ignored -> Kind.GEO;
        };
    }
}
