package dev.semel.query.expression;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The names that are no ordinary functions: they bind variables, choose what to evaluate, or take their operand as is. */
final class Forms {
    private static final Expression NULL = new Expression.Literal(Value.NULL);

    private Forms() {}

    static Expression literal(String name, Value operand, Parser parser) {
        return new Expression.Literal(operand);
    }

    static Expression and(String name, Value operand, Parser parser) {
        return new Expression.And(parser.operands(operand));
    }

    static Expression or(String name, Value operand, Parser parser) {
        return new Expression.Or(parser.operands(operand));
    }

    static Expression meta(String name, Value operand, Parser parser) {
        return new Expression.Meta(Metadata.name(operand));
    }

    static Expression rand(String name, Value operand, Parser parser) {
        boolean empty = (operand instanceof Value.Doc(var document) && document.isEmpty())
                || (operand instanceof Value.Array(var elements) && elements.isEmpty());
        if (!empty) {
            throw new CommandException(ErrorCode.location(3040501), "%s does not currently accept arguments", name);
        }
        return new Expression.Rand();
    }

    static Expression ifNull(String name, Value operand, Parser parser) {
        List<Expression> candidates = parser.operands(operand);
        if (candidates.size() < 2) {
            throw new CommandException(
                    ErrorCode.location(1257300), "$ifNull needs at least two arguments, had: %d", candidates.size());
        }
        return new Expression.FirstNotNull(candidates);
    }

    // ---- $cond, $switch

    static Expression cond(String name, Value operand, Parser parser) {
        if (!(operand instanceof Value.Doc(var document))) {
            List<Expression> parts = parser.operands(operand);
            Form.checkCount(name, 3, parts.size());
            return new Expression.Cond(parts.get(0), parts.get(1), parts.get(2));
        }
        Expression condition = null;
        Expression then = null;
        Expression otherwise = null;
        for (var field : document) {
            switch (field.name()) {
                case "if" -> condition = parser.operand(field.value());
                case "then" -> then = parser.operand(field.value());
                case "else" -> otherwise = parser.operand(field.value());
                default ->
                    throw new CommandException(
                            ErrorCode.location(17083), "Unrecognized parameter to $cond: %s", field.name());
            }
        }
        return new Expression.Cond(
                required(condition, 17080, "Missing 'if' parameter to $cond"),
                required(then, 17081, "Missing 'then' parameter to $cond"),
                required(otherwise, 17082, "Missing 'else' parameter to $cond"));
    }

    static Expression switchOver(String name, Value operand, Parser parser) {
        if (!(operand instanceof Value.Doc(var document))) {
            throw new CommandException(
                    ErrorCode.location(40060), "$switch requires an object as an argument, found: %s", operand.type());
        }
        List<Expression.Branch> branches = new ArrayList<>();
        Expression otherwise = null;
        for (var field : document) {
            switch (field.name()) {
                case "branches" -> branches.addAll(branches(field.value(), parser));
                case "default" -> otherwise = parser.operand(field.value());
                default ->
                    throw new CommandException(
                            ErrorCode.location(40067), "$switch found an unknown argument: %s", field.name());
            }
        }
        if (branches.isEmpty()) {
            throw new CommandException(ErrorCode.location(40068), "$switch requires at least one branch.");
        }
        return possible(branches, otherwise, parser.scope());
    }

    /** Without the branches that can never be taken, and without those behind one that always is. */
    private static Expression possible(List<Expression.Branch> branches, @Nullable Expression otherwise, Scope scope) {
        List<Expression.Branch> open = new ArrayList<>();
        Expression last = otherwise;
        for (Expression.Branch branch : branches) {
            if (!(branch.condition() instanceof Expression.Literal(var condition))) {
                open.add(branch);
            } else if (Types.isTrue(condition)) {
                last = branch.then();
                break;
            }
        }
        if (open.isEmpty() && last != null) {
            return last;
        }
        if (open.isEmpty() && scope.checksConstants()) {
            throw new ConstantFailure(new CommandException(
                    ErrorCode.location(40069),
                    "Cannot execute a switch statement where all the cases evaluate to false without a default"));
        }
        return new Expression.Switch(List.copyOf(open), last);
    }

    private static List<Expression.Branch> branches(Value value, Parser parser) {
        if (!(value instanceof Value.Array(var elements))) {
            throw new CommandException(
                    ErrorCode.location(40061), "$switch expected an array for 'branches', found: %s", value.type());
        }
        List<Expression.Branch> branches = new ArrayList<>();
        for (var element : elements) {
            if (!(element.value() instanceof Value.Doc(var branch))) {
                throw new CommandException(
                        ErrorCode.location(40062),
                        "$switch expected each branch to be an object, found: %s",
                        element.value().type());
            }
            branches.add(branch(branch, parser));
        }
        return branches;
    }

    private static Expression.Branch branch(RawDocument branch, Parser parser) {
        Expression condition = null;
        Expression then = null;
        for (var field : branch) {
            switch (field.name()) {
                case "case" -> condition = parser.operand(field.value());
                case "then" -> then = parser.operand(field.value());
                default ->
                    throw new CommandException(
                            ErrorCode.location(40063),
                            "$switch found an unknown argument to a branch: %s",
                            field.name());
            }
        }
        return new Expression.Branch(
                required(condition, 40064, "$switch requires each branch have a 'case' expression"),
                required(then, 40065, "$switch requires each branch have a 'then' expression."));
    }

    private static Expression required(@Nullable Expression expression, int code, String message) {
        if (expression == null) {
            throw new CommandException(ErrorCode.location(code), message);
        }
        return expression;
    }

    // ---- $let, $map, $filter, $reduce

    private static final Parameters LET =
            Parameters.of(16874, 16875).required("vars", 16876).required("in", 16877);

    static Expression let(String name, Value operand, Parser parser) {
        var given = LET.parse(name, operand);
        if (!(given.require("vars") instanceof Value.Doc(var vars))) {
            throw new CommandException(ErrorCode.location(10065), "invalid parameter: expected an object (vars)");
        }
        List<String> names = new ArrayList<>();
        List<Expression> values = new ArrayList<>();
        for (var variable : vars) {
            Scope.checkUserName(variable.name());
            names.add(variable.name());
            values.add(parser.operand(variable.value()));
        }
        Scope outer = parser.scope();
        Expression in = given.expression("in", parser.within(outer.bind(names)));
        return Folding.isLiteral(in) ? in : new Expression.Let(List.copyOf(values), outer.nextSlot(), in);
    }

    private static final Parameters MAP = Parameters.of(16878, 16879)
            .required("input", 16880)
            .optional("as", Value.of("this"))
            .required("in", 16882);

    static Expression map(String name, Value operand, Parser parser) {
        var given = MAP.parse(name, operand);
        Scope outer = parser.scope();
        Scope inner = outer.bind(List.of(variableName(name, given.value("as"))));
        return new Expression.Map(
                given.expression("input", parser), outer.nextSlot(), given.expression("in", parser.within(inner)));
    }

    private static final Parameters FILTER = Parameters.of(28646, 28647)
            .required("input", 28648)
            .optional("as")
            .required("cond", 28650)
            .optional("limit");

    static Expression filter(String name, Value operand, Parser parser) {
        var given = FILTER.parse(name, operand);
        Scope outer = parser.scope();
        Scope inner = outer.bind(List.of(variableName(name, given.value("as"))));
        return new Expression.Filter(
                given.expression("input", parser),
                outer.nextSlot(),
                given.expression("cond", parser.within(inner)),
                given.optional("limit", parser));
    }

    private static String variableName(String function, @Nullable Value as) {
        if (as == null) {
            return "this";
        }
        if (!(as instanceof Value.Str(var text))) {
            throw new CommandException(
                    ErrorCode.TypeMismatch, "'as' of %s must be a string, found: %s", function, as.type());
        }
        String variable = text.toString();
        Scope.checkUserName(variable);
        return variable;
    }

    private static final Parameters REDUCE = Parameters.of(40075, 40076)
            .saying(Parameters.FOUND, Parameters.REQUIRES)
            .required("input", 40077)
            .required("initialValue", 40078)
            .required("in", 40079);

    static Expression reduce(String name, Value operand, Parser parser) {
        var given = REDUCE.parse(name, operand);
        Scope outer = parser.scope();
        Scope inner = outer.bind(List.of("value", "this"));
        return new Expression.Reduce(
                given.expression("input", parser),
                given.expression("initialValue", parser),
                outer.nextSlot(),
                given.expression("in", parser.within(inner)));
    }

    // ---- conversions that may fail

    /** A conversion by parameters, of which {@code onNull} and {@code onError} are looked at only when needed. */
    static Expression attempt(Parameters.Given given, Expression.Call call, Parser parser, boolean catchesErrors) {
        Expression onNull = given.optional("onNull", parser);
        return new Expression.Attempt(
                call, onNull == null ? NULL : onNull, catchesErrors ? given.optional("onError", parser) : null);
    }
}
