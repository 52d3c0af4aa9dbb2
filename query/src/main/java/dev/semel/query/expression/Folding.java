package dev.semel.query.expression;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Computes while parsing what does not depend on the document. Its parts were folded before, so only the outermost shape
 * is looked at. A constant part that fails is a {@link ConstantFailure} where the scope wants that, also in a branch that is never taken, as in
 * MongoDB's optimizer; elsewhere it is left alone.
 */
final class Folding {
    private Folding() {}

    static Expression fold(Expression expression, Scope scope) {
        return switch (expression) {
            case Expression.Call(var function, var arguments) when allLiteral(arguments) -> compute(expression, scope);
            case Expression.ArrayLiteral(var items) when allLiteral(items) -> compute(expression, scope);
            case Expression.ObjectLiteral(var fields)
            when fields.stream().allMatch(field -> isLiteral(field.expression())) -> compute(expression, scope);
            case Expression.FirstNotNull(var candidates) when allLiteral(candidates) -> compute(expression, scope);
            case Expression.Attempt(var call, var onNull, var onError)
            when allLiteral(call.arguments()) && isLiteral(onNull) && (onError == null || isLiteral(onError)) ->
                compute(expression, scope);
            case Expression.Cond(Expression.Literal(var condition), var then, var otherwise) ->
                Types.isTrue(condition) ? then : otherwise;
            case Expression.And(var all) -> and(all, scope);
            case Expression.Or(var any) -> or(any, scope);
            default -> expression;
        };
    }

    static boolean isLiteral(Expression expression) {
        return expression instanceof Expression.Literal;
    }

    private static boolean allLiteral(List<Expression> expressions) {
        return expressions.stream().allMatch(Folding::isLiteral);
    }

    private static Expression compute(Expression expression, Scope scope) {
        try {
            return new Expression.Literal(Evaluation.evaluate(expression, constants()));
        } catch (CommandException e) {
            if (scope.checksConstants() && !isTooLarge(e)) {
                throw new ConstantFailure(e);
            }
            return expression;
        }
    }

    /** What becomes larger is computed for each document, drawn from the memory of queries, instead of being held all the time. */
    private static final long BYTES_MAX = 1 << 20;

    private static boolean isTooLarge(CommandException e) {
        return e.code().equals(ErrorCode.ExceededMemoryLimit);
    }

    /** For expressions that consult neither time nor chance, as everything folded is. */
    private static Environment constants() {
        return new Environment(0, null, NO_CHANCE, () -> {}, null, QueryMemory.of(BYTES_MAX));
    }

    private static final RandomGenerator NO_CHANCE = () -> {
        throw new IllegalStateException("a constant expression drew a random number");
    };

    private static Expression and(List<Expression> all, Scope scope) {
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
        return allLiteral(open) ? compute(new Expression.And(open), scope) : new Expression.And(List.copyOf(open));
    }

    private static Expression or(List<Expression> any, Scope scope) {
        List<Expression> open = new ArrayList<>();
        for (Expression each : any) {
            if (!(each instanceof Expression.Literal(var value))) {
                open.add(each);
            } else if (Types.isTrue(value)) {
                open.add(each);
                break;
            }
        }
        return allLiteral(open) ? compute(new Expression.Or(open), scope) : new Expression.Or(List.copyOf(open));
    }
}
