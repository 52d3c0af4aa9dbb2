package dev.semel.query.pipeline;

import dev.semel.query.filter.FilterScope;
import dev.semel.query.value.DottedPath;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;

/** Reads {@code $unwind}. */
final class UnwindParser {
    private UnwindParser() {}

    static Stage parse(String name, Value specification, FilterScope scope) {
        return switch (specification) {
            case Value.Str(Text text) -> new Unwind(path(text.toString()), null, false);
            case Value.Doc(RawDocument options) -> parse(options);
            default ->
                throw wrong(
                        15981,
                        "expected either a string or an object as specification for $unwind stage, got %s",
                        specification.type());
        };
    }

    private static Stage parse(RawDocument options) {
        DottedPath path = null;
        DottedPath index = null;
        boolean preserve = false;
        for (Element option : options) {
            switch (option.name()) {
                case "path" -> {
                    if (!(option.value() instanceof Value.Str(Text text))) {
                        throw wrong(
                                28808,
                                "expected a string as the path for $unwind stage, got %s",
                                option.value().type());
                    }
                    path = path(text.toString());
                }
                case "preserveNullAndEmptyArrays" -> {
                    if (!(option.value() instanceof Value.Bool(boolean bool))) {
                        throw wrong(
                                28809,
                                "expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage, got %s",
                                option.value().type());
                    }
                    preserve = bool;
                }
                case "includeArrayIndex" -> index = index(option.value());
                default -> throw wrong(28811, "unrecognized option to $unwind stage: %s", option.name());
            }
        }
        if (path == null) {
            throw noPath();
        }
        return new Unwind(path, index, preserve);
    }

    private static CommandException noPath() {
        return wrong(28812, "no path specified to $unwind stage");
    }

    private static DottedPath path(String text) {
        if (text.isEmpty()) {
            throw noPath();
        }
        if (!text.startsWith("$")) {
            throw wrong(28818, "path option to $unwind stage should be prefixed with a '$': %s", text);
        }
        return DottedPath.ofField(text.substring(1));
    }

    private static DottedPath index(Value value) {
        if (!(value instanceof Value.Str(Text text)) || text.isEmpty()) {
            throw wrong(
                    28810,
                    "expected a non-empty string for the includeArrayIndex option to $unwind stage, got %s",
                    value.type());
        }
        if (text.byteAt(0) == '$') {
            throw wrong(28822, "includeArrayIndex option to $unwind stage should not be prefixed with a '$': %s", text);
        }
        return DottedPath.ofField(text.toString());
    }

    private static CommandException wrong(int code, String message, Object... arguments) {
        return new CommandException(ErrorCode.location(code), message, arguments);
    }
}
