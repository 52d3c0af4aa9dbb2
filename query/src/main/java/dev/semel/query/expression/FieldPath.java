package dev.semel.query.expression;

import dev.semel.query.value.FieldNames;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A dotted path as aggregation follows it. Unlike a query's path it does not know array positions: a name applied to an
 * array yields the array of what the name yields in each document of it.
 */
public final class FieldPath {
    private final List<String> names;
    private final byte[][] utf8;

    private FieldPath(List<String> names) {
        this.names = names;
        this.utf8 = names.stream()
                .map(name -> name.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
    }

    /** A path without its dollar. */
    public static FieldPath parse(String dotted) {
        return new FieldPath(FieldNames.of(dotted));
    }

    public int length() {
        return utf8.length;
    }

    /** The name at a position, as UTF-8; not to be changed. */
    public byte[] utf8(int index) {
        return utf8[index];
    }

    public String name(int index) {
        return names.get(index);
    }

    public @Nullable Value in(RawDocument document) {
        return in(document, 0);
    }

    /** What the path yields in a value: in an array, the array of what it yields in each document there. */
    public @Nullable Value in(@Nullable Value value) {
        return from(value, 0);
    }

    /** Follows the names from {@code index} on, for a caller that has found the first ones itself. */
    public @Nullable Value from(@Nullable Value value, int index) {
        if (index == utf8.length) {
            return value;
        }
        return switch (value) {
            case Value.Doc(var document) -> in(document, index);
            case Value.Array(var elements) -> each(elements, index);
            case null, default -> null;
        };
    }

    private @Nullable Value in(RawDocument document, int index) {
        Value value = document.get(utf8[index]);
        return index + 1 == utf8.length ? value : from(value, index + 1);
    }

    private Value each(RawDocument elements, int index) {
        BsonWriter results = new BsonWriter();
        for (var at = elements.cursor(); at.next(); ) {
            if (isDocument(at)) {
                Value value = in(RawDocument.view(at.array(), at.valueStart()), index);
                if (value != null) {
                    results.add(value);
                }
            }
        }
        return results.finishArray();
    }

    private static boolean isDocument(ElementCursor at) {
        return at.array()[at.elementStart()] == 0x03;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FieldPath that && Arrays.deepEquals(utf8, that.utf8);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(utf8);
    }

    @Override
    public String toString() {
        return String.join(".", names);
    }
}
