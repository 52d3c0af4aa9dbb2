package dev.semel.query.expression;

import dev.semel.query.value.FieldNames;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns operands into expressions. Immutable: a parser stands for a scope and a depth, and hands out others for the parts
 * of what it parses.
 */
final class Parser {
    /** As deep as a message may nest; the guard of the stack for everything that recurses over expressions. */
    private static final int DEPTH_MAX = 200;

    private final Scope scope;
    private final int depth;

    Parser(Scope scope) {
        this(scope, 0);
    }

    private Parser(Scope scope, int depth) {
        this.scope = scope;
        this.depth = depth;
    }

    Scope scope() {
        return scope;
    }

    /** The same place with other variables. */
    Parser within(Scope inner) {
        return new Parser(inner, depth);
    }

    Expression operand(Value operand) {
        return switch (operand) {
            case Value.Str(var text) when isReference(operand) -> reference(text.toString());
            case Value.Doc(var document) -> deeper().object(document);
            case Value.Array(var elements) -> deeper().array(elements);
            default -> new Expression.Literal(operand);
        };
    }

    /** The arguments of a function: the elements of an array, or the one operand itself. */
    List<Expression> operands(Value operand) {
        if (!(operand instanceof Value.Array(var elements))) {
            return List.of(operand(operand));
        }
        List<Expression> operands = new ArrayList<>();
        Parser inner = deeper();
        for (var at = elements.cursor(); at.next(); ) {
            operands.add(inner.operand(at.value()));
        }
        return List.copyOf(operands);
    }

    private Parser deeper() {
        if (depth == DEPTH_MAX) {
            throw new CommandException(
                    ErrorCode.Overflow, "An expression may not nest deeper than %d levels", DEPTH_MAX);
        }
        return new Parser(scope, depth + 1);
    }

    private static boolean isReference(Value operand) {
        return operand instanceof Value.Str(var text) && text.length() > 0 && text.byteAt(0) == '$';
    }

    // ---- "$a.b", "$$name.b"

    private Expression reference(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new CommandException(
                    ErrorCode.location(16419), "field path must not contain embedded null characters");
        }
        if (text.length() == 1) {
            throw new CommandException(ErrorCode.location(16872), "'$' by itself is not a valid FieldPath");
        }
        if (text.charAt(1) != '$') {
            return current(FieldPath.parse(text.substring(1)));
        }
        String path = text.substring(2);
        int dot = path.indexOf('.');
        String name = dot < 0 ? path : path.substring(0, dot);
        Scope.checkName(name);
        return variable(name, dot < 0 ? null : FieldPath.parse(path.substring(dot + 1)));
    }

    private Expression current(@Nullable FieldPath path) {
        // A $let may bind CURRENT, and then "$a" is a field of that.
        return scope.find("CURRENT") == null ? new Expression.Field(path) : variable("CURRENT", path);
    }

    private Expression variable(String name, @Nullable FieldPath path) {
        return switch (scope.find(name)) {
            case Scope.Slot(int slot) -> new Expression.Variable(slot, path);
            case Scope.Constant(var value) -> new Expression.Literal(path == null ? value : path.in(value));
            case null -> builtin(name, path);
        };
    }

    private static Expression builtin(String name, @Nullable FieldPath path) {
        return switch (name) {
            case "ROOT", "CURRENT" -> new Expression.Field(path);
            case "REMOVE" -> new Expression.Literal(null);
            case "NOW" -> new Expression.Builtin(Expression.Builtin.Name.NOW, path);
            case "CLUSTER_TIME" -> new Expression.Builtin(Expression.Builtin.Name.CLUSTER_TIME, path);
            case "USER_ROLES", "SEARCH_META" ->
                throw new CommandException(ErrorCode.NotImplemented, "The variable '$$%s' is not implemented", name);
            default -> throw new CommandException(ErrorCode.location(17276), "Use of undefined variable: %s", name);
        };
    }

    // ---- {...}, [...]

    private Expression object(RawDocument document) {
        var first = document.first();
        if (first != null && first.name().startsWith("$")) {
            return Folding.fold(call(document, first.name(), first.value()), scope);
        }
        List<Expression.NamedExpression> fields = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (var field : document) {
            FieldNames.check(field.name());
            if (!seen.add(field.name())) {
                throw new CommandException(
                        ErrorCode.location(16406),
                        "duplicate field name specified in object expression: %s",
                        field.name());
            }
            fields.add(new Expression.NamedExpression(field.name(), operand(field.value())));
        }
        return Folding.fold(new Expression.ObjectLiteral(List.copyOf(fields)), scope);
    }

    private Expression call(RawDocument document, String name, Value operand) {
        if (document.size() != 1) {
            throw new CommandException(
                    ErrorCode.location(15983),
                    "an object representing an expression must have exactly one field: %s",
                    document);
        }
        return Functions.form(name).parse(name, operand, this);
    }

    private Expression array(RawDocument elements) {
        List<Expression> items = new ArrayList<>();
        for (var at = elements.cursor(); at.next(); ) {
            items.add(operand(at.value()));
        }
        return Folding.fold(new Expression.ArrayLiteral(List.copyOf(items)), scope);
    }
}
