package dev.semel.query.expression;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A dotted path as aggregation follows it. Unlike a query's path it does not know array positions: a name applied to an
 * array yields the array of what the name yields in each document of it.
 */
public final class FieldPath {
    /** As deep as a message may nest. */
    private static final int NAMES_MAX = 200;

    /** Names of a DBRef, which a path may mention in spite of their dollar. */
    private static final Set<String> DOLLAR_NAMES = Set.of("$id", "$ref", "$db");

    private final List<String> names;
    private final byte[][] utf8;

    private FieldPath(List<String> names) {
        this.names = names;
        this.utf8 = names.stream()
                .map(name -> name.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
    }

    /** A path without its dollar; empty, {@code $}-prefixed and otherwise impossible names are errors. */
    public static FieldPath parse(String dotted) {
        if (dotted.isEmpty()) {
            throw new CommandException(ErrorCode.location(40352), "FieldPath cannot be constructed with empty string");
        }
        if (dotted.endsWith(".")) {
            throw new CommandException(ErrorCode.location(40353), "FieldPath must not end with a '.'.");
        }
        List<String> names = new ArrayList<>();
        int start = 0;
        for (int dot = dotted.indexOf('.'); dot >= 0; dot = dotted.indexOf('.', start)) {
            names.add(dotted.substring(start, dot));
            start = dot + 1;
        }
        names.add(dotted.substring(start));
        if (names.size() > NAMES_MAX) {
            throw new CommandException(ErrorCode.Overflow, "FieldPath is too long");
        }
        names.forEach(FieldPath::checkName);
        return new FieldPath(List.copyOf(names));
    }

    /** The rules for one name, which hold for the fields of an object expression as well. */
    static void checkName(String name) {
        if (name.isEmpty()) {
            throw new CommandException(ErrorCode.location(15998), "FieldPath field names may not be empty strings.");
        }
        if (name.charAt(0) == '$' && !DOLLAR_NAMES.contains(name)) {
            throw new CommandException(
                    ErrorCode.location(16410),
                    "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
        }
        if (name.indexOf('\0') >= 0) {
            throw new CommandException(ErrorCode.location(16411), "FieldPath field names may not contain '\\0'.");
        }
        if (name.indexOf('.') >= 0) {
            throw new CommandException(
                    ErrorCode.location(16412),
                    "FieldPath field names may not contain '.'. Consider using $getField or $setField.");
        }
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
