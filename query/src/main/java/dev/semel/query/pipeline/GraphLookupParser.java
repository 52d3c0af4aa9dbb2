package dev.semel.query.pipeline;

import dev.semel.query.expression.Expressions;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code $graphLookup}. */
final class GraphLookupParser {
    private final Map<String, String> names = new HashMap<>();
    private @Nullable Value start;
    private long stepsMax = Long.MAX_VALUE;
    private @Nullable RawDocument restriction;

    private GraphLookupParser() {}

    static Stage parse(String name, Value specification, FilterScope scope, Others others) {
        if (!(specification instanceof Value.Doc(RawDocument options))) {
            throw new CommandException(
                    ErrorCode.FailedToParse,
                    "the $graphLookup stage specification must be an object, but found %s",
                    specification.type().alias());
        }
        GraphLookupParser parser = new GraphLookupParser();
        options.forEach(parser::option);
        return parser.stage(scope, others);
    }

    private void option(Element option) {
        Value value = option.value();
        switch (option.name()) {
            case "startWith" -> start = value;
            case "maxDepth" -> stepsMax = depth(value);
            case "restrictSearchWithMatch" -> {
                if (!(value instanceof Value.Doc(RawDocument filter))) {
                    throw wrong(
                            40185,
                            "restrictSearchWithMatch must be an object, found %s",
                            value.type().alias());
                }
                restriction = filter;
            }
            case "from", "as", "connectFromField", "connectToField", "depthField" -> {
                if (!(value instanceof Value.Str(Text text))) {
                    throw wrong(
                            40103, "expected string as argument for %s, found: %s", option.name(), Shell.text(value));
                }
                names.put(option.name(), text.toString());
            }
            default -> throw wrong(40104, "Unknown argument to $graphLookup: %s", option.name());
        }
    }

    private static long depth(Value value) {
        if (!Numbers.isNumber(value)) {
            throw wrong(
                    40100,
                    "maxDepth must be numeric, found type: %s",
                    value.type().alias());
        }
        long depth = Numbers.exactLong(value)
                .orElseThrow(
                        () -> wrong(40102, "maxDepth could not be represented as a long long: %s", Shell.text(value)));
        if (depth < 0) {
            throw wrong(40101, "maxDepth requires a nonnegative argument, found: %s", Shell.text(value));
        }
        return depth;
    }

    private Stage stage(FilterScope scope, Others others) {
        String as = names.get("as");
        String from = names.get("from");
        String connectFrom = names.get("connectFromField");
        String connectTo = names.get("connectToField");
        if (as == null || from == null || connectFrom == null || connectTo == null || start == null) {
            throw wrong(
                    40105,
                    "$graphLookup requires 'from', 'as', 'startWith', 'connectFromField', and 'connectToField' to be"
                            + " specified.");
        }
        String depth = names.get("depthField");
        if (restriction != null) {
            Filters.parse(restriction, scope);
        }
        return new GraphLookup(
                DottedPath.ofField(as),
                Foreign.of(from, List.of(), scope, scope, others),
                Expressions.parse(start, scope.variables()),
                DottedPath.ofField(connectFrom),
                DottedPath.ofField(connectTo).toString(),
                stepsMax,
                depth == null ? null : DottedPath.ofField(depth),
                restriction);
    }

    private static CommandException wrong(int code, String message, Object... arguments) {
        return new CommandException(ErrorCode.location(code), message, arguments);
    }
}
