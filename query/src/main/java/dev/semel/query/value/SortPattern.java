package dev.semel.query.value;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;

/** What a sort goes by: paths, most important first, each up or down; and how values compare. */
public record SortPattern(List<Part> parts, Collation collation) {
    /** One path of a pattern. */
    public record Part(DottedPath path, boolean ascending) {}

    private static final int PARTS_MAX = 32;

    public SortPattern {
        parts = List.copyOf(parts);
    }

    /** {@code {a: 1, "b.c": -1}}; an empty document is a pattern of no parts, which keeps the order there is. */
    public static SortPattern parse(RawDocument pattern, Collation collation) {
        var parts = new ArrayList<Part>();
        for (Element element : pattern) {
            DottedPath path = DottedPath.ofField(element.name());
            if (parts.stream().noneMatch(part -> part.path().equals(path))) {
                parts.add(new Part(path, ascending(element)));
            }
        }
        if (parts.size() > PARTS_MAX) {
            throw new CommandException(ErrorCode.BadValue, "too many compound keys");
        }
        return new SortPattern(parts, collation);
    }

    private static boolean ascending(Element element) {
        Value value = element.value();
        if (value instanceof Value.Doc(RawDocument document)) {
            if (document.first() instanceof Element(String name, Value ignored) && name.equals("$meta")) {
                throw new CommandException(ErrorCode.NotImplemented, "$meta in a sort pattern is not supported");
            }
        }
        if (!Numbers.isNumber(value)) {
            throw new CommandException(
                    ErrorCode.location(15974),
                    "Illegal key in $sort specification: %s: %s",
                    element.name(),
                    Shell.text(value));
        }
        var direction = Numbers.exactLong(value);
        if (direction.isEmpty() || Math.abs(direction.getAsLong()) != 1) {
            throw new CommandException(
                    ErrorCode.location(15975), "$sort key ordering must be 1 (for ascending) or -1 (for descending)");
        }
        return direction.getAsLong() == 1;
    }

    public boolean isEmpty() {
        return parts.isEmpty();
    }
}
