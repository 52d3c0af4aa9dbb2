package dev.semel.query.expression;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The named arguments a function declares, and the error codes MongoDB gives to what is wrong with them. Each function has
 * codes of its own, which clients and tests compare.
 */
final class Parameters {
    private record Parameter(
            String name,
            @Nullable ErrorCode missing,
            @Nullable Value otherwise) {}

    private final ErrorCode notAnObject;
    private final ErrorCode unknown;
    private final Texts texts;
    private final List<Parameter> declared;

    private Parameters(ErrorCode notAnObject, ErrorCode unknown, Texts texts, List<Parameter> declared) {
        this.notAnObject = notAnObject;
        this.unknown = unknown;
        this.texts = texts;
        this.declared = declared;
    }

    /** What MongoDB says of wrong arguments, of the function and then of the argument: not the same for all functions. */
    private record Texts(String unknown, String missing) {}

    static final String PARAMETER = "Unrecognized parameter to %s: %s";
    static final String ARGUMENT = "Unrecognized argument to %s: %s";
    static final String FOUND = "%s found an unknown argument: %s";

    static final String MISSING = "Missing '%2$s' parameter to %1$s";
    static final String REQUIRES = "%s requires '%s' to be specified";

    static Parameters of(int notAnObject, int unknown) {
        return of(ErrorCode.location(notAnObject), ErrorCode.location(unknown));
    }

    static Parameters of(ErrorCode notAnObject, ErrorCode unknown) {
        return new Parameters(notAnObject, unknown, new Texts(PARAMETER, MISSING), List.of());
    }

    /** With this text for an unknown argument. */
    Parameters saying(String unknown) {
        return saying(unknown, texts.missing);
    }

    /** With these texts for an unknown argument, and for one that is missing. */
    Parameters saying(String unknown, String missing) {
        return new Parameters(notAnObject, this.unknown, new Texts(unknown, missing), declared);
    }

    Parameters required(String name, int code) {
        return required(name, ErrorCode.location(code));
    }

    Parameters required(String name, ErrorCode code) {
        return with(new Parameter(name, code, null));
    }

    /** May be left out, which is the same as giving a missing value. */
    Parameters optional(String name) {
        return with(new Parameter(name, null, null));
    }

    /** May be left out, which is the same as giving this. */
    Parameters optional(String name, Value otherwise) {
        return with(new Parameter(name, null, otherwise));
    }

    private Parameters with(Parameter parameter) {
        List<Parameter> more = new ArrayList<>(declared);
        more.add(parameter);
        return new Parameters(notAnObject, unknown, texts, List.copyOf(more));
    }

    Given parse(String function, Value operand) {
        if (!(operand instanceof Value.Doc(var document))) {
            throw new CommandException(
                    notAnObject,
                    "%s only supports an object as its argument, found: %s",
                    function,
                    operand.type().alias());
        }
        return new Given(function, values(function, document));
    }

    private Map<String, Value> values(String function, RawDocument document) {
        Map<String, Value> values = new HashMap<>();
        for (var field : document) {
            if (declared.stream().noneMatch(parameter -> parameter.name.equals(field.name()))) {
                throw new CommandException(unknown, texts.unknown, function, field.name());
            }
            values.put(field.name(), field.value());
        }
        for (Parameter parameter : declared) {
            if (parameter.missing != null && !values.containsKey(parameter.name)) {
                throw new CommandException(parameter.missing, texts.missing, function, parameter.name);
            }
        }
        return values;
    }

    /** What a client gave for the declared parameters. */
    final class Given {
        private final String function;
        private final Map<String, Value> values;

        private Given(String function, Map<String, Value> values) {
            this.function = function;
            this.values = values;
        }

        @Nullable
        Value value(String name) {
            return values.get(name);
        }

        /** A parameter that was declared required. */
        Value require(String name) {
            Value value = values.get(name);
            if (value == null) {
                throw new IllegalArgumentException(function + " does not require " + name);
            }
            return value;
        }

        Expression expression(String name, Parser parser) {
            return parser.operand(require(name));
        }

        @Nullable
        Expression optional(String name, Parser parser) {
            Value value = values.get(name);
            return value == null ? null : parser.operand(value);
        }

        boolean has(String name) {
            return values.containsKey(name);
        }

        /** All of them in the order of the declaration, with what stands for those left out. */
        List<Expression> positional(Parser parser) {
            List<Expression> arguments = new ArrayList<>();
            for (Parameter parameter : declared) {
                Expression given = optional(parameter.name, parser);
                arguments.add(given == null ? new Expression.Literal(parameter.otherwise) : given);
            }
            return List.copyOf(arguments);
        }
    }
}
