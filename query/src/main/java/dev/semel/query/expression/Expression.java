package dev.semel.query.expression;

import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An expression by its shape. A kind exists where evaluation or scoping differs; the ordinary functions, which evaluate
 * all their arguments and then compute, are all one kind, {@link Call}.
 */
public sealed interface Expression {
    /** A constant; null is the missing value, as {@code $$REMOVE} yields it. */
    record Literal(@Nullable Value value) implements Expression {}

    /** A path into the document being evaluated, {@code "$a.b"}; without a path the document itself, {@code $$ROOT}. */
    record Field(@Nullable FieldPath path) implements Expression {}

    /** A variable bound by an enclosing expression, and a path into its value. */
    record Variable(int slot, @Nullable FieldPath path) implements Expression {}

    /** A variable the server provides, and a path into its value. */
    record Builtin(Name name, @Nullable FieldPath path) implements Expression {
        /** Which one. */
        public enum Name {
            NOW,
            CLUSTER_TIME
        }
    }

    record Call(Function function, List<Expression> arguments) implements Expression {}

    record And(List<Expression> all) implements Expression {}

    record Or(List<Expression> any) implements Expression {}

    record Cond(Expression condition, Expression then, Expression otherwise) implements Expression {}

    /** {@code $ifNull}: the first candidate that is neither null nor missing, else the last one whatever it is. */
    record FirstNotNull(List<Expression> candidates) implements Expression {}

    record Switch(List<Branch> branches, @Nullable Expression otherwise) implements Expression {}

    record Branch(Expression condition, Expression then) {}

    /** Binds the values to the slots from {@code slot} on; the values themselves are evaluated outside the scope. */
    record Let(List<Expression> values, int slot, Expression in) implements Expression {}

    record Map(Expression input, int slot, Expression in) implements Expression {}

    record Filter(
            Expression input,
            int slot,
            Expression condition,
            @Nullable Expression limit) implements Expression {}

    /** {@code $$value} is in {@code slot}, {@code $$this} in the next one. */
    record Reduce(Expression input, Expression initial, int slot, Expression in) implements Expression {}

    record ObjectLiteral(List<NamedExpression> fields) implements Expression {}

    record NamedExpression(String name, Expression expression) {}

    record ArrayLiteral(List<Expression> items) implements Expression {}

    /**
     * A conversion: if the call's first argument is null or missing the result is {@code onNull}, and a conversion failure
     * in the call, though not in its arguments, yields {@code onError} if there is one.
     */
    record Attempt(Call call, Expression onNull, @Nullable Expression onError) implements Expression {}

    /** {@code $meta}: {@link Metadata} of the document. */
    record Meta(String name) implements Expression {}

    /**
     * A JavaScript function of the client: {@code $function}, whose input is its arguments, or a map function of {@code mapReduce},
     * whose input is {@code this}.
     */
    record Script(Task task, String code, Expression input) implements Expression {
        /** What is done with the function. */
        public enum Task {
            CALL,
            EMIT
        }
    }

    /** {@code $rand}. A shape of its own because it is never constant. */
    record Rand() implements Expression {}
}
