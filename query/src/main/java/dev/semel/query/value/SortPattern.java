package dev.semel.query.value;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a sort goes by: paths, most important first, each up or down; and how values compare. */
public record SortPattern(List<Part> parts, Collation collation) {
    /** One path of a pattern. */
    public record Part(DottedPath path, boolean ascending) {}

    /** No field that can be sorted by has this name. */
    private static final String METADATA = "$meta";

    private static final Set<String> SORTABLE = Set.of("randVal", "textScore");

    private static final int PARTS_MAX = 32;

    public SortPattern {
        parts = List.copyOf(parts);
    }

    /** {@code {a: 1, "b.c": -1}}; an empty document is a pattern of no parts, which keeps the order there is. */
    public static SortPattern parse(RawDocument pattern, Collation collation) {
        var parts = new ArrayList<Part>();
        for (Element element : pattern) {
            DottedPath path = DottedPath.ofField(element.name());
            DottedPath metadata = metadata(element.value());
            if (metadata != null) {
                // Best first: what it is called in the pattern does not matter.
                parts.add(new Part(metadata, false));
            } else if (parts.stream().noneMatch(part -> part.path().equals(path))) {
                parts.add(new Part(path, ascending(element)));
            }
            if (parts.size() > PARTS_MAX) {
                throw new CommandException(ErrorCode.BadValue, "too many compound keys");
            }
        }
        return new SortPattern(parts, collation);
    }

    /** Where a document that is held back has the metadata by which {@code {$meta: ...}} sorts; null for any other value. */
    private static @Nullable DottedPath metadata(Value value) {
        if (!(value instanceof Value.Doc(RawDocument document))) {
            return null;
        }
        if (!(document.first() instanceof Element(String name, Value kind)) || !name.equals(METADATA)) {
            throw new CommandException(
                    ErrorCode.location(17312), "$meta is the only expression supported by $sort right now");
        }
        if (document.size() != 1) {
            throw new CommandException(
                    ErrorCode.location(31138), "Cannot have additional keys in a $meta sort specification");
        }
        if (!(kind instanceof Value.Str(Text text)) || !SORTABLE.contains(text.toString())) {
            throw new CommandException(ErrorCode.location(31138), "Illegal $meta sort: $meta: %s", Shell.text(kind));
        }
        return DottedPath.of(METADATA + '.' + text);
    }

    /** The metadata that a part sorts by; null if it sorts by a field. */
    public static @Nullable String metadata(Part part) {
        return part.path().first().equals(METADATA) ? part.path().last() : null;
    }

    private static boolean ascending(Element element) {
        Value value = element.value();
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

    /** The metadata that it sorts by. */
    public Set<String> metadata() {
        return parts.stream()
                .map(SortPattern::metadata)
                .filter(Objects::nonNull)
                .collect(Collectors.toUnmodifiableSet());
    }

    public boolean isEmpty() {
        return parts.isEmpty();
    }
}
