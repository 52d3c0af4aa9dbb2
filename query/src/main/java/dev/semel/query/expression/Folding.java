package dev.semel.query.expression;

import dev.semel.wire.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Computes while parsing what does not depend on the document. Its parts were folded before, so only the outermost shape
 * is looked at. A constant part that fails is left alone: a branch that is never taken never fails.
 */
final class Folding {
    private Folding() {}

    static Expression fold(Expression expression) {
        return switch (expression) {
            case Expression.Call(var function, var arguments) when allLiteral(arguments) -> compute(expression);
            case Expression.ArrayLiteral(var items) when allLiteral(items) -> compute(expression);
            case Expression.ObjectLiteral(var fields)
            when fields.stream().allMatch(field -> isLiteral(field.expression())) -> compute(expression);
            case Expression.FirstNotNull(var candidates) when allLiteral(candidates) -> compute(expression);
            case Expression.Attempt(var call, var onNull, var onError)
            when allLiteral(call.arguments()) && isLiteral(onNull) && (onError == null || isLiteral(onError)) ->
                compute(expression);
            case Expression.Cond(Expression.Literal(var condition), var then, var otherwise) ->
                Types.isTrue(condition) ? then : otherwise;
            case Expression.And(var all) -> and(all);
            case Expression.Or(var any) -> or(any);
            default -> expression;
        };
    }

    static boolean isLiteral(Expression expression) {
        return expression instanceof Expression.Literal;
    }

    private static boolean allLiteral(List<Expression> expressions) {
        return expressions.stream().allMatch(Folding::isLiteral);
    }

    private static Expression compute(Expression expression) {
        try {
            return new Expression.Literal(Evaluation.evaluate(expression, constants()));
        } catch (CommandException e) {
            return expression;
        }
    }

    /** What becomes larger is computed for each document, drawn from the memory of queries, instead of being held all the time. */
    private static final long BYTES_MAX = 1 << 20;

    /** For expressions that consult neither time nor chance, as everything folded is. */
    private static Environment constants() {
        return new Environment(0, null, NO_CHANCE, () -> {}, null, QueryMemory.of(BYTES_MAX));
    }

    private static final RandomGenerator NO_CHANCE = () -> {
        throw new IllegalStateException("a constant expression drew a random number");
    };

    private static Expression and(List<Expression> all) {
        List<Expression> open = new ArrayList<>();
        for (Expression each : all) {
            if (!(each instanceof Expression.Literal(var value))) {
                open.add(each);
            } else if (!Types.isTrue(value)) {
                // What stands before the constant may fail, and then the whole must fail.
                open.add(each);
                break;
            }
        }
        return allLiteral(open) ? compute(new Expression.And(open)) : new Expression.And(List.copyOf(open));
    }

    private static Expression or(List<Expression> any) {
        List<Expression> open = new ArrayList<>();
        for (Expression each : any) {
            if (!(each instanceof Expression.Literal(var value))) {
                open.add(each);
            } else if (Types.isTrue(value)) {
                open.add(each);
                break;
            }
        }
        return allLiteral(open) ? compute(new Expression.Or(open)) : new Expression.Or(List.copyOf(open));
    }
}
