package dev.semel.query.expression;

import dev.semel.query.value.Collation;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the operand of a function name becomes an expression. */
@FunctionalInterface
interface Form {
    Expression parse(String name, Value operand, Parser parser);

    /** Any number of arguments. */
    static Form variadic(Function.Body body) {
        return (name, operand, parser) -> new Expression.Call(new Function(name, body), parser.operands(operand));
    }

    static Form variadic(Function.Building body) {
        return variadic((Function.Body) body);
    }

    /** A fixed number of arguments. */
    static Form exactly(int count, Function.Body body) {
        return (name, operand, parser) -> {
            List<Expression> arguments = parser.operands(operand);
            checkCount(name, count, arguments.size());
            return new Expression.Call(new Function(name, body), arguments);
        };
    }

    static Form exactly(int count, Function.Building body) {
        return exactly(count, (Function.Body) body);
    }

    static void checkCount(String name, int expected, int found) {
        if (found != expected) {
            throw new CommandException(
                    ErrorCode.location(16020),
                    "Expression %s takes exactly %d arguments. %d were passed in.",
                    name,
                    expected,
                    found);
        }
    }

    /** Between {@code least} and {@code most} arguments; those left out are missing. */
    static Form between(int least, int most, Function.Body body) {
        return (name, operand, parser) -> {
            List<Expression> arguments = parser.operands(operand);
            if (arguments.size() < least || arguments.size() > most) {
                throw new CommandException(
                        ErrorCode.location(28667),
                        "Expression %s takes at least %d arguments, and at most %d, but %d were passed in.",
                        name,
                        least,
                        most,
                        arguments.size());
            }
            return new Expression.Call(new Function(name, body), arguments);
        };
    }

    static Form between(int least, int most, Function.Building body) {
        return between(least, most, (Function.Body) body);
    }

    /** Functions that compare their arguments, and get the collation to compare with. */
    @FunctionalInterface
    interface Comparing {
        @Nullable
        Value apply(@Nullable Value[] arguments, Collation collation);
    }

    /** What compares its arguments and builds something of them. */
    @FunctionalInterface
    interface ComparingBuilding {
        @Nullable
        Value apply(@Nullable Value[] arguments, Collation collation, Scratch scratch);
    }

    /** Compares under the collation of the place; the shape is one of the other forms. */
    static Form comparing(java.util.function.Function<Function.Body, Form> shape, Comparing body) {
        return (name, operand, parser) -> {
            Collation collation = parser.scope().collation();
            return shape.apply(arguments -> body.apply(arguments, collation)).parse(name, operand, parser);
        };
    }

    static Form comparing(java.util.function.Function<Function.Body, Form> shape, ComparingBuilding body) {
        return (name, operand, parser) -> {
            Collation collation = parser.scope().collation();
            Function.Building bound = (arguments, scratch) -> body.apply(arguments, collation, scratch);
            return shape.apply(bound).parse(name, operand, parser);
        };
    }

    /** Arguments by name, handed to the function in the order of the declaration; those left out are missing. */
    static Form named(Parameters parameters, Function.Body body) {
        return (name, operand, parser) -> new Expression.Call(
                new Function(name, body), parameters.parse(name, operand).positional(parser));
    }

    static Form named(Parameters parameters, Function.Building body) {
        return named(parameters, (Function.Body) body);
    }

    /** A name MongoDB has and we have not. */
    static Form notImplemented() {
        return (name, operand, parser) -> {
            throw new CommandException(ErrorCode.NotImplemented, "The expression %s is not supported yet", name);
        };
    }
}
