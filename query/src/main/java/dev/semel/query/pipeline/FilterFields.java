package dev.semel.query.pipeline;

import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.FieldSet;
import dev.semel.query.filter.Filter;

/** What a filter reads. */
public final class FilterFields {
    private FilterFields() {}

    public static void collect(Filter filter, FieldSet into) {
        switch (filter) {
            case Filter.And(var all) -> all.forEach(each -> collect(each, into));
            case Filter.Or(var any) -> any.forEach(each -> collect(each, into));
            case Filter.Nor(var none) -> none.forEach(each -> collect(each, into));
            case Filter.Not(var denied) -> collect(denied, into);
            case Filter.Field(var path, var condition) -> into.add(path.first());
            case Filter.Near(var path, var query) -> into.add(path.first());
            case Filter.Text ignored -> into.addWhole();
            case Filter.Always ignored -> {}
            case Filter.Sample ignored -> {}
            case Filter.Script ignored -> into.addWhole();
            case Filter.Expr(var expression, var environment) -> Expressions.collectFields(expression, into);
            case Filter.Schema ignored -> into.addWhole();
        }
    }

    /** Whether the answer depends on the document alone, so that asking at another time gives the same. */
    static boolean isRepeatable(Filter filter) {
        return switch (filter) {
            case Filter.And(var all) -> all.stream().allMatch(FilterFields::isRepeatable);
            case Filter.Or(var any) -> any.stream().allMatch(FilterFields::isRepeatable);
            case Filter.Nor(var none) -> none.stream().allMatch(FilterFields::isRepeatable);
            case Filter.Not(var denied) -> isRepeatable(denied);
            // An expression may fail, and must not do so for a document that another stage would have removed.
            case Filter.Expr ignored -> false;
            case Filter.Sample ignored -> false;
            case Filter.Script ignored -> false;
            case Filter.Field ignored -> true;
            case Filter.Near ignored -> true;
            case Filter.Text ignored -> false;
            case Filter.Always ignored -> true;
            case Filter.Schema ignored -> true;
        };
    }
}
