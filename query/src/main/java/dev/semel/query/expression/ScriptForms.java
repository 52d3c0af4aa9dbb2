package dev.semel.query.expression;

import dev.semel.query.expression.Expression.Script.Task;
import dev.semel.query.script.Scripts;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Expressions that are JavaScript: {@code $function}, and those that {@code mapReduce} is translated to, with the names that MongoDB
 * gives them, {@code $_internalJsEmit} and {@code $_internalJs}.
 */
final class ScriptForms {
    private ScriptForms() {}

    static Expression function(String name, Value operand, Parser parser) {
        RawDocument given = object(name, operand, 31260);
        checkFields(name, given, 31267, List.of("body", "args", "lang"));
        Value body = required(given, "body", 31261, "The body function must be specified.");
        Expression code = parser.operand(body);
        if (!(code instanceof Expression.Literal(Value constant)) || text(constant) == null) {
            throw wrong(31262, "The body function must evaluate to type string or code");
        }
        Value arguments = required(given, "args", 31263, "The args field must be specified.");
        if (!(arguments instanceof Value.Array)) {
            throw wrong(31266, "The args field must be of type array");
        }
        Value language = required(given, "lang", 31418, "The lang field must be specified.");
        if (!"js".equals(text(language))) {
            throw wrong(31419, "Currently the only supported language specifier is 'js'.");
        }
        return script(Task.CALL, constant, parser.operand(arguments));
    }

    static Expression emit(String name, Value operand, Parser parser) {
        RawDocument given = object(name, operand, 31221);
        Value map = required(given, "eval", 31222, "The map function must be specified.");
        if (text(map) == null) {
            throw wrong(31224, "The map function must be of type string or code");
        }
        Value self = required(given, "this", 31223, name + " requires 'this' to be specified");
        return script(Task.EMIT, map, parser.operand(self));
    }

    /** The {@code finalize} function of {@code mapReduce}. */
    static Expression internal(String name, Value operand, Parser parser) {
        RawDocument given = object(name, operand, 31260);
        Value code = required(given, "eval", 31261, "The eval function must be specified.");
        if (text(code) == null) {
            throw wrong(31262, "The eval function must be of type string or code");
        }
        return script(
                Task.CALL, code, parser.operand(required(given, "args", 31263, "The args field must be specified.")));
    }

    private static Expression script(Task task, Value code, Expression input) {
        String text = text(code);
        if (text == null) {
            throw new IllegalArgumentException("not the text of a function: " + code.type());
        }
        return new Expression.Script(task, text, input);
    }

    static Value evaluate(Task task, String code, @Nullable Value input, Environment environment) {
        return switch (task) {
            case CALL -> call(code, input, environment.scripts());
            case EMIT -> emit(code, input, environment.scripts());
        };
    }

    private static Value call(String code, @Nullable Value input, Scripts scripts) {
        if (!(input instanceof Value.Array(RawDocument elements))) {
            throw wrong(31266, "The args field must be of type array");
        }
        List<Value> arguments = new ArrayList<>();
        for (Element element : elements) {
            arguments.add(element.value());
        }
        return scripts.call(code, arguments);
    }

    private static Value emit(String code, @Nullable Value input, Scripts scripts) {
        if (!(input instanceof Value.Doc(RawDocument document))) {
            throw wrong(31225, "'this' must be an object.");
        }
        BsonWriter pairs = new BsonWriter(64);
        for (Scripts.Emitted emitted : scripts.emit(code, document)) {
            pairs.startDocument()
                    .put("k", emitted.key())
                    .put("v", emitted.value())
                    .end();
        }
        return pairs.finishArray();
    }

    private static RawDocument object(String name, Value operand, int code) {
        if (operand instanceof Value.Doc(RawDocument document)) {
            return document;
        }
        throw wrong(
                code,
                "%s requires an object as an argument, found: %s"
                        .formatted(name, operand.type().alias()));
    }

    private static void checkFields(String name, RawDocument given, int code, List<String> known) {
        for (Element field : given) {
            if (!known.contains(field.name())) {
                throw wrong(code, "%s found an unknown argument: %s".formatted(name, field.name()));
            }
        }
    }

    private static Value required(RawDocument given, String field, int code, String message) {
        Value value = given.get(field);
        if (value == null) {
            throw wrong(code, message);
        }
        return value;
    }

    /** The text of a function as clients send it. */
    private static @Nullable String text(@Nullable Value value) {
        return switch (value) {
            case Value.Str(var text) -> text.toString();
            case Value.Code(var text) -> text.toString();
            case null, default -> null;
        };
    }

    private static CommandException wrong(int code, String message) {
        return new CommandException(ErrorCode.location(code), "%s", message);
    }
}
