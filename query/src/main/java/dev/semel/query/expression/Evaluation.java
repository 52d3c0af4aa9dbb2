package dev.semel.query.expression;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The one place that knows how each shape of expression is evaluated. */
final class Evaluation {
    private Evaluation() {}

    static @Nullable Value evaluate(Expression expression, Environment environment) {
        environment.pace().step();
        return switch (expression) {
            case Expression.Field(var path) ->
                path == null ? new Value.Doc(environment.document()) : path.in(environment.document());
            case Expression.Literal(var value) -> value;
            case Expression.Call(var function, var arguments) -> call(function, arguments, environment);
            case Expression.Variable(int slot, var path) -> follow(path, environment.slot(slot));
            case Expression.Builtin(var name, var path) -> follow(path, environment.builtin(name));
            case Expression.Cond(var condition, var then, var otherwise) ->
                evaluate(isTrue(condition, environment) ? then : otherwise, environment);
            case Expression.And(var all) -> and(all, environment);
            case Expression.Or(var any) -> or(any, environment);
            case Expression.FirstNotNull(var candidates) -> firstNotNull(candidates, environment);
            case Expression.Switch(var branches, var otherwise) -> switchOver(branches, otherwise, environment);
            case Expression.ObjectLiteral(var fields) -> object(fields, environment);
            case Expression.ArrayLiteral(var items) -> array(items, environment);
            case Expression.Let(var values, int slot, var in) -> let(values, slot, in, environment);
            case Expression.Map(var input, int slot, var in) -> map(input, slot, in, environment);
            case Expression.Filter filter -> filter(filter, environment);
            case Expression.Reduce reduce -> reduce(reduce, environment);
            case Expression.Attempt(var call, var onNull, var onError) -> attempt(call, onNull, onError, environment);
            case Expression.Meta(String name) -> environment.metadata().get(name);
            case Expression.Script(var task, String code, var input) ->
                ScriptForms.evaluate(task, code, evaluate(input, environment), environment);
            case Expression.Rand() -> Value.of(environment.random().nextDouble());
        };
    }

    private static boolean isTrue(Expression expression, Environment environment) {
        long mark = environment.scratch.mark();
        boolean isTrue = Types.isTrue(evaluate(expression, environment));
        environment.scratch.settle(mark, (Value) null);
        return isTrue;
    }

    private static @Nullable Value follow(@Nullable FieldPath path, @Nullable Value value) {
        return path == null ? value : path.in(value);
    }

    private static @Nullable Value call(Function function, List<Expression> arguments, Environment environment) {
        Scratch scratch = environment.scratch;
        long mark = scratch.mark();
        @Nullable Value[] values = evaluateAll(arguments, environment);
        long before = scratch.begin();
        Value result = function.body().apply(values, scratch);
        scratch.end(before);
        scratch.settle(mark, result);
        return result;
    }

    private static @Nullable Value[] evaluateAll(List<Expression> expressions, Environment environment) {
        int count = expressions.size();
        @Nullable Value[] values = new @Nullable Value[count];
        for (int i = 0; i < count; i++) {
            values[i] = evaluate(expressions.get(i), environment);
        }
        return values;
    }

    private static Value and(List<Expression> all, Environment environment) {
        for (Expression each : all) {
            if (!isTrue(each, environment)) {
                return Value.FALSE;
            }
        }
        return Value.TRUE;
    }

    private static Value or(List<Expression> any, Environment environment) {
        for (Expression each : any) {
            if (isTrue(each, environment)) {
                return Value.TRUE;
            }
        }
        return Value.FALSE;
    }

    private static @Nullable Value firstNotNull(List<Expression> candidates, Environment environment) {
        int last = candidates.size() - 1;
        for (int i = 0; i < last; i++) {
            Value value = evaluate(candidates.get(i), environment);
            if (!Types.isNullish(value)) {
                return value;
            }
        }
        return evaluate(candidates.get(last), environment);
    }

    private static @Nullable Value switchOver(
            List<Expression.Branch> branches, @Nullable Expression otherwise, Environment environment) {
        for (Expression.Branch branch : branches) {
            if (isTrue(branch.condition(), environment)) {
                return evaluate(branch.then(), environment);
            }
        }
        if (otherwise == null) {
            throw new CommandException(
                    ErrorCode.location(40066),
                    "$switch could not find a matching branch for an input, and no default was specified.");
        }
        return evaluate(otherwise, environment);
    }

    private static Value object(List<Expression.NamedExpression> fields, Environment environment) {
        BsonWriter writer = new BsonWriter(64);
        long mark = environment.scratch.mark();
        for (Expression.NamedExpression field : fields) {
            Value value = evaluate(field.expression(), environment);
            if (value != null) {
                writer.put(field.name(), value);
                environment.scratch.settle(mark, writer);
            }
        }
        return new Value.Doc(writer.finish());
    }

    private static Value array(List<Expression> items, Environment environment) {
        BsonWriter writer = new BsonWriter(64);
        long mark = environment.scratch.mark();
        for (Expression item : items) {
            add(writer, evaluate(item, environment));
            environment.scratch.settle(mark, writer);
        }
        return writer.finishArray();
    }

    /** An array has no holes: what is missing becomes null. */
    private static void add(BsonWriter writer, @Nullable Value value) {
        writer.add(value == null ? Value.NULL : value);
    }

    // The values are evaluated before any slot is bound, as they belong to the outer scope and may use the same slots
    // for variables of their own.
    private static @Nullable Value let(List<Expression> values, int slot, Expression in, Environment environment) {
        long mark = environment.scratch.mark();
        @Nullable Value[] evaluated = evaluateAll(values, environment);
        for (int i = 0; i < evaluated.length; i++) {
            environment.bind(slot + i, evaluated[i]);
        }
        Value result = evaluate(in, environment);
        environment.scratch.settle(mark, result);
        return result;
    }

    private static Value map(Expression input, int slot, Expression in, Environment environment) {
        Scratch scratch = environment.scratch;
        long mark = scratch.mark();
        RawDocument elements = elements(evaluate(input, environment), 16883, "input to $map must be an array not %s");
        if (elements == null) {
            return Value.NULL;
        }
        BsonWriter results = new BsonWriter(64);
        long withInput = scratch.mark();
        for (var at = elements.cursor(); at.next(); ) {
            environment.checkpoint();
            environment.bind(slot, at.value());
            add(results, evaluate(in, environment));
            scratch.settle(withInput, results);
        }
        scratch.settle(mark, results);
        return results.finishArray();
    }

    private static Value filter(Expression.Filter filter, Environment environment) {
        Scratch scratch = environment.scratch;
        long mark = scratch.mark();
        RawDocument elements =
                elements(evaluate(filter.input(), environment), 28651, "input to $filter must be an array not %s");
        if (elements == null) {
            return Value.NULL;
        }
        int remaining = filter.limit() == null ? Integer.MAX_VALUE : limit(evaluate(filter.limit(), environment));
        BsonWriter results = new BsonWriter(64);
        long withInput = scratch.mark();
        for (var at = elements.cursor(); remaining > 0 && at.next(); ) {
            environment.checkpoint();
            environment.bind(filter.slot(), at.value());
            if (isTrue(filter.condition(), environment)) {
                results.add(at);
                scratch.settle(withInput, results);
                remaining--;
            }
        }
        scratch.settle(mark, results);
        return results.finishArray();
    }

    private static int limit(@Nullable Value limit) {
        if (Types.isNullish(limit)) {
            return Integer.MAX_VALUE;
        }
        Integer number = Arithmetic.asInt32(limit);
        if (number == null) {
            throw new CommandException(
                    ErrorCode.location(327391),
                    "$filter: limit must be represented as a 32-bit integral value: %s",
                    Types.show(limit));
        }
        if (number <= 0) {
            throw new CommandException(ErrorCode.location(327392), "$filter: limit must be greater than 0: %d", number);
        }
        return number;
    }

    private static @Nullable Value reduce(Expression.Reduce reduce, Environment environment) {
        Scratch scratch = environment.scratch;
        long mark = scratch.mark();
        RawDocument elements = elements(
                evaluate(reduce.input(), environment), 40080, "$reduce requires that 'input' be an array, found: %s");
        if (elements == null) {
            return Value.NULL;
        }
        long withInput = scratch.mark();
        Value accumulated = evaluate(reduce.initial(), environment);
        for (var at = elements.cursor(); at.next(); ) {
            environment.checkpoint();
            environment.bind(reduce.slot(), accumulated);
            environment.bind(reduce.slot() + 1, at.value());
            accumulated = evaluate(reduce.in(), environment);
            Sizes.checkDepth(accumulated);
            scratch.settle(withInput, accumulated);
        }
        scratch.settle(mark, accumulated);
        return accumulated;
    }

    /** The elements of an array, null for null or missing, an error for anything else. */
    private static @Nullable RawDocument elements(@Nullable Value value, int code, String message) {
        if (Types.isNullish(value)) {
            return null;
        }
        if (value instanceof Value.Array(var elements)) {
            return elements;
        }
        throw new CommandException(ErrorCode.location(code), message, typeName(value));
    }

    private static String typeName(@Nullable Value value) {
        return value == null ? "missing" : value.type().alias();
    }

    private static @Nullable Value attempt(
            Expression.Call call, Expression onNull, @Nullable Expression onError, Environment environment) {
        // Conversions build nothing that is larger than what they are given.
        @Nullable Value[] arguments = evaluateAll(call.arguments(), environment);
        if (Types.isNullish(arguments[0])) {
            return evaluate(onNull, environment);
        }
        if (onError == null) {
            return call.function().body().apply(arguments);
        }
        try {
            return call.function().body().apply(arguments);
        } catch (CommandException e) {
            if (!e.code().equals(ErrorCode.ConversionFailure)) {
                throw e;
            }
            return evaluate(onError, environment);
        }
    }
}
