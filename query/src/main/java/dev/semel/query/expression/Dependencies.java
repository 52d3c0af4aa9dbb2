package dev.semel.query.expression;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Walks an expression for the fields of the document it reads. */
final class Dependencies {
    private Dependencies() {}

    static void collect(Expression expression, FieldSet into) {
        switch (expression) {
            case Expression.Literal ignored -> {}
            case Expression.Variable ignored -> {}
            case Expression.Builtin ignored -> {}
            case Expression.Script(var task, var code, var input) -> collect(input, into);
            case Expression.Rand ignored -> {}
            case Expression.Meta(String name) -> into.addMetadata(name);
            case Expression.Field(var path) -> {
                if (path == null) {
                    into.addWhole();
                } else {
                    into.add(path.name(0));
                }
            }
            case Expression.Call(var function, var arguments) -> collectAll(arguments, into);
            case Expression.And(var all) -> collectAll(all, into);
            case Expression.Or(var any) -> collectAll(any, into);
            case Expression.Cond(var condition, var then, var otherwise) ->
                collectAll(List.of(condition, then, otherwise), into);
            case Expression.FirstNotNull(var candidates) -> collectAll(candidates, into);
            case Expression.Switch(var branches, var otherwise) -> {
                branches.forEach(branch -> collectAll(List.of(branch.condition(), branch.then()), into));
                collectOptional(otherwise, into);
            }
            case Expression.Let(var values, int slot, var in) -> {
                collectAll(values, into);
                collect(in, into);
            }
            case Expression.Map(var input, int slot, var in) -> collectAll(List.of(input, in), into);
            case Expression.Filter(var input, int slot, var condition, var limit) -> {
                collectAll(List.of(input, condition), into);
                collectOptional(limit, into);
            }
            case Expression.Reduce(var input, var initial, int slot, var in) ->
                collectAll(List.of(input, initial, in), into);
            case Expression.ObjectLiteral(var fields) -> fields.forEach(field -> collect(field.expression(), into));
            case Expression.ArrayLiteral(var items) -> collectAll(items, into);
            case Expression.Attempt(var call, var onNull, var onError) -> {
                collectAll(List.of(call, onNull), into);
                collectOptional(onError, into);
            }
        }
    }

    private static void collectAll(List<Expression> expressions, FieldSet into) {
        expressions.forEach(each -> collect(each, into));
    }

    private static void collectOptional(@Nullable Expression expression, FieldSet into) {
        if (expression != null) {
            collect(expression, into);
        }
    }
}
