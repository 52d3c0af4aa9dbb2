package dev.semel.server.plan;

import dev.semel.query.filter.Condition;
import dev.semel.query.filter.Filter;
import dev.semel.query.value.Collation;
import dev.semel.query.value.SortPattern;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import java.util.List;
import java.util.stream.Collectors;

/** What queries have in common that differ in nothing but the values they look for. */
public record QueryShape(String filter, String sort, String projection) {

    public static QueryShape of(Filter filter, SortPattern sort, RawDocument projection) {
        return new QueryShape(text(filter), text(sort), projection.isEmpty() ? "" : Shell.text(projection));
    }

    static QueryShape of(Query query) {
        return of(query.filter(), query.sort(), query.projection());
    }

    private static String text(SortPattern sort) {
        if (sort.isEmpty()) {
            return "";
        }
        String parts = sort.parts().stream()
                .map(each -> each.path() + (each.ascending() ? "+" : "-"))
                .collect(Collectors.joining(","));
        return parts + collated(sort.collation());
    }

    private static String text(Filter filter) {
        return switch (filter) {
            case Filter.And(List<Filter> all) -> list("$and", all);
            case Filter.Or(List<Filter> any) -> list("$or", any);
            case Filter.Nor(List<Filter> none) -> list("$nor", none);
            case Filter.Not(Filter inner) -> "$not(" + text(inner) + ")";
            case Filter.Field(var path, Condition condition) -> path + text(condition);
            case Filter.Near(var path, var ignored) -> path + "$near";
            case Filter.Text ignored -> "$text";
            case Filter.Always(boolean answer) -> answer ? "" : "$alwaysFalse";
            case Filter.Sample ignored -> "$sampleRate";
            case Filter.Script ignored -> "$where";
            case Filter.Expr(var expression, var ignored) -> "$expr(" + expression + ")";
            case Filter.Schema ignored -> "$jsonSchema";
        };
    }

    /** The order of conditions makes no difference. */
    private static String list(String operator, List<Filter> filters) {
        return filters.stream().map(QueryShape::text).sorted().collect(Collectors.joining(",", operator + "[", "]"));
    }

    private static String text(Condition condition) {
        return switch (condition) {
            case Condition.Compare compare -> compare.comparison().operator() + collated(compare.collation());
            case Condition.In in -> in.patterns().isEmpty() ? "$in" : "$in/";
            case Condition.Exists ignored -> "$exists";
            case Condition.Type ignored -> "$type";
            case Condition.Size ignored -> "$size";
            case Condition.Mod ignored -> "$mod";
            case Condition.Bits(var ignored, Condition.Bits.Wanted wanted) -> "$bits" + wanted;
            case Condition.Regex(var pattern) -> "$regex/" + pattern.options();
            case Condition.Geo(var predicate) -> predicate.given().name();
            case Condition.ElemMatchValue(Condition inner) -> "$elemMatch(" + text(inner) + ")";
            case Condition.ElemMatchDocument(Filter inner) -> "$elemMatch{" + text(inner) + "}";
            case Condition.All(List<Condition> all) ->
                all.stream().map(QueryShape::text).sorted().collect(Collectors.joining(",", "$all[", "]"));
            case Condition.Not(Condition inner) -> "$not(" + text(inner) + ")";
        };
    }

    private static String collated(Collation collation) {
        return collation.equals(Collation.SIMPLE) ? "" : Shell.text(collation.document());
    }
}
