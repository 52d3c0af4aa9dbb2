package dev.semel.query.pipeline;

import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.Scope;
import dev.semel.query.expression.TimeUnit;
import dev.semel.query.pipeline.window.Bound;
import dev.semel.query.pipeline.window.Window;
import dev.semel.query.value.Numbers;
import dev.semel.query.value.SortPattern;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads the {@code window} of a window function. */
final class WindowBoundsParser {
    private final Scope scope;
    private final @Nullable SortPattern sortBy;

    /** @param sortBy how the stage sorts its partitions, or null if it does not */
    WindowBoundsParser(Scope scope, @Nullable SortPattern sortBy) {
        this.scope = scope;
        this.sortBy = sortBy;
    }

    Window parse(Value value) {
        if (!(value instanceof Value.Doc(RawDocument window))) {
            throw wrong("'window' field must be an object");
        }
        Value documents = window.get("documents");
        Value range = window.get("range");
        Value unit = window.get("unit");
        if (documents != null && range != null) {
            // MongoDB's own words, though it is the range that is meant.
            throw wrong("Window bounds can specify either 'documents' or 'unit', not both.");
        }
        if (range == null && unit != null) {
            throw wrong("Window bounds can only specify 'unit' with range-based bounds.");
        }
        if (documents != null) {
            return documents(window, documents);
        }
        if (range != null) {
            return unit == null ? range(window, range) : timeRange(window, range, unit);
        }
        if (!window.isEmpty()) {
            throw wrong("'window' field can only contain 'documents' as the only argument or 'range' with an optional"
                    + " 'unit' field");
        }
        return Window.whole();
    }

    private Window documents(RawDocument window, Value documents) {
        if (window.size() != 1) {
            throw wrong("'window' field that specifies documents cannot have other fields");
        }
        List<Element> ends = ends("documents", documents);
        Bound lower = bound(
                ends.get(0).value(), WindowBoundsParser::isInt, "Numeric document-based bounds must be an integer");
        Bound upper = bound(
                ends.get(1).value(), WindowBoundsParser::isInt, "Numeric document-based bounds must be an integer");
        checkForward(lower, upper);
        boolean whole = lower instanceof Bound.Unbounded && upper instanceof Bound.Unbounded;
        if (!whole && sortBy == null) {
            throw new CommandException(ErrorCode.location(5339901), "Document-based bounds require a sortBy");
        }
        return new Window.Documents(lower, upper);
    }

    private Window timeRange(RawDocument window, Value range, Value unit) {
        List<Element> ends = ends("range", range);
        if (window.size() != 2) {
            throw wrong("'window' field that specifies unit cannot have other fields besides 'range'");
        }
        if (!(unit instanceof Value.Str(Text name))) {
            throw wrong("'unit' must be a string");
        }
        String message = "With 'unit', range-based bounds must be an integer";
        Bound lower = bound(ends.get(0).value(), WindowBoundsParser::isInt, message);
        Bound upper = bound(ends.get(1).value(), WindowBoundsParser::isInt, message);
        checkForward(lower, upper);
        TimeUnit parsed = TimeUnit.named(name.toString());
        checkSort();
        return new Window.Range(lower, upper, parsed);
    }

    private Window range(RawDocument window, Value range) {
        List<Element> ends = ends("range", range);
        if (window.size() != 1) {
            throw wrong("'window' field that specifies range cannot have other fields besides 'unit'");
        }
        String message = "Range-based bounds expression must be a number";
        Bound lower = bound(ends.get(0).value(), Numbers::isNumber, message);
        Bound upper = bound(ends.get(1).value(), Numbers::isNumber, message);
        checkForward(lower, upper);
        checkSort();
        return new Window.Range(lower, upper, null);
    }

    private void checkSort() {
        if (sortBy == null || sortBy.parts().size() != 1) {
            throw new CommandException(ErrorCode.location(5339902), "Range-based bounds require sortBy a single field");
        }
        if (!sortBy.parts().getFirst().ascending()) {
            throw new CommandException(ErrorCode.location(8947401), "Range-based bounds require an ascending sortBy");
        }
    }

    private static List<Element> ends(String name, Value value) {
        if (!(value instanceof Value.Array(RawDocument elements)) || elements.size() != 2) {
            throw wrong("Window bounds must be a 2-element array: %s: %s", name, Shell.text(value));
        }
        List<Element> ends = new java.util.ArrayList<>();
        elements.forEach(ends::add);
        return ends;
    }

    @FunctionalInterface
    private interface Test {
        boolean accepts(@Nullable Value value);
    }

    private Bound bound(Value value, Test test, String message) {
        if (value instanceof Value.Str(Text text)) {
            return switch (text.toString()) {
                case "unbounded" -> new Bound.Unbounded();
                case "current" -> new Bound.Current();
                default -> throw wrong("Window bounds must be 'unbounded', 'current', or a number.");
            };
        }
        if (!(Expressions.parse(value, scope) instanceof Expression.Literal(Value constant))) {
            throw wrong("Window bounds expression must be a constant.");
        }
        if (constant == null || !test.accepts(constant)) {
            throw wrong("%s", message);
        }
        return new Bound.Offset(constant);
    }

    private static boolean isInt(@Nullable Value value) {
        OptionalLong number = Numbers.exactLong(value);
        return number.isPresent() && number.getAsLong() == (int) number.getAsLong();
    }

    private static void checkForward(Bound lower, Bound upper) {
        if (lower instanceof Bound.Unbounded || upper instanceof Bound.Unbounded) {
            return;
        }
        Value from = distance(lower);
        Value to = distance(upper);
        if (Numbers.compare(from, to) > 0) {
            throw new CommandException(
                    ErrorCode.location(5339900),
                    "Lower bound must not exceed upper bound: [%s, %s]",
                    Shell.text(from),
                    Shell.text(to));
        }
    }

    private static Value distance(Bound bound) {
        return bound instanceof Bound.Offset(Value distance) ? distance : Value.of(0);
    }

    private static CommandException wrong(String message, Object... arguments) {
        return new CommandException(ErrorCode.FailedToParse, message, arguments);
    }
}
