package dev.semel.query.expression;

import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** The way into this package: parse once per command, evaluate per document. */
public final class Expressions {
    private Expressions() {}

    /**
     * Parses an operand: a string with a leading dollar is a path or a variable, an object a function call or an object of
     * expressions, an array an array of expressions, anything else itself. Constant parts are computed at once.
     */
    public static Expression parse(Value operand, Scope scope) {
        return new Parser(scope).operand(operand);
    }

    /** Parses an object as an expression even where its fields could mean something else to the caller. */
    public static Expression parse(RawDocument operand, Scope scope) {
        return parse(new Value.Doc(operand), scope);
    }

    /** Whether there is an expression of this name, which begins with a dollar. */
    public static boolean isKnown(String name) {
        return Functions.has(name);
    }

    /** The value, or null if it is missing. */
    public static @Nullable Value evaluate(Expression expression, Environment environment) {
        Scratch scratch = environment.scratch;
        long mark = scratch.mark();
        long before = scratch.begin();
        try {
            return Evaluation.evaluate(expression, environment);
        } finally {
            scratch.end(before);
            scratch.settle(mark, (Value) null);
        }
    }

    /** For a document; a shorthand for where there is just one expression to evaluate. */
    public static @Nullable Value evaluate(Expression expression, Environment environment, RawDocument document) {
        return evaluate(expression, environment.on(document));
    }

    /** The result as a condition: false, null, missing, undefined and any zero are false, all else is true. */
    public static boolean isTrue(Expression expression, Environment environment) {
        return Types.isTrue(evaluate(expression, environment));
    }

    /** What counts as true wherever MongoDB's language wants a condition. */
    public static boolean isTrue(@Nullable Value value) {
        return Types.isTrue(value);
    }

    /** Adds the top-level fields the expression reads. */
    public static void collectFields(Expression expression, FieldSet into) {
        Dependencies.collect(expression, into);
    }

    /** The fields of both, those of the second where both have them; null and missing add nothing. */
    public static RawDocument merge(RawDocument into, @Nullable Value value) {
        return Objects.merge(into, value, Scratch.unlimited());
    }
}
