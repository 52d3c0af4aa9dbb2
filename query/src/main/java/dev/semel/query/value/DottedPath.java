package dev.semel.query.value;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Limits;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A field name with dots, split once. What a path means where it meets an array depends on who asks: a filter looks into
 * every element ({@link #find}); an update follows numbers only and has its
 * own walk, and so have expressions ({@code FieldPath}).
 */
public final class DottedPath implements Comparable<DottedPath> {
    /** {@link #find} found nothing. */
    public static final int NOT_FOUND = -2;

    /** {@link #find} found a value on whose way no array was searched. */
    public static final int WITHOUT_INDEX = -1;

    /** No document has a value deeper than that, and each part takes fifty times as much as its text. */
    public static final int PARTS_MAX = Limits.MESSAGE_DEPTH_MAX;

    /** A path is kept several times, by its parts and in plans. */
    private static final int CHARS_MAX = 16 << 10;

    private final String text;
    private final String[] parts;
    private final byte[][] names;
    private final int[] indexes;

    /** Of those who search by this path again and again; null for others. It is no part of what the path means. */
    private final @Nullable Pace pace;

    private DottedPath(DottedPath path, Pace pace) {
        this.text = path.text;
        this.parts = path.parts;
        this.names = path.names;
        this.indexes = path.indexes;
        this.pace = pace;
    }

    private DottedPath(String text, String[] parts) {
        if (text.indexOf('\0') >= 0) {
            throw new CommandException(ErrorCode.BadValue, "A field path cannot contain a null byte");
        }
        this.text = text;
        this.parts = parts;
        this.pace = null;
        this.names = new byte[parts.length][];
        this.indexes = new int[parts.length];
        for (int i = 0; i < parts.length; i++) {
            names[i] = parts[i].getBytes(StandardCharsets.UTF_8);
            indexes[i] = index(parts[i]);
        }
    }

    /** Any text is a path, even one with empty parts; callers that forbid them check {@link #parts}. */
    public static DottedPath of(String text) {
        return new DottedPath(text, split(text));
    }

    /** What the dots of a path part; refused before that if there is too much of it. */
    public static String[] split(String text) {
        if (text.length() > CHARS_MAX || size(text) > PARTS_MAX) {
            throw new CommandException(ErrorCode.Overflow, "FieldPath is too long");
        }
        return text.split("\\.", -1);
    }

    /** How many parts a path has. */
    public static int size(String text) {
        int size = 1;
        for (int dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', dot + 1)) {
            size++;
        }
        return size;
    }

    /** A path as projections, sorts and stages allow it: see {@link FieldNames}. */
    public static DottedPath ofField(String text) {
        return new DottedPath(text, FieldNames.of(text).toArray(String[]::new));
    }

    /** The array index that a part of a path stands for, or -1: digits without a leading zero. */
    public static int index(String part) {
        int length = part.length();
        if (length == 0 || length > 9 || (length > 1 && part.charAt(0) == '0')) {
            return -1;
        }
        int index = 0;
        for (int i = 0; i < length; i++) {
            int digit = part.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            index = index * 10 + digit;
        }
        return index;
    }

    /** The same path, by which each search is a step. */
    public DottedPath pacedBy(Pace steps) {
        return new DottedPath(this, steps);
    }

    private void step() {
        if (pace != null) {
            pace.step();
        }
    }

    public List<String> parts() {
        return List.of(parts);
    }

    public int size() {
        return parts.length;
    }

    public String part(int i) {
        return parts[i];
    }

    /** The part as UTF-8; not to be changed. */
    public byte[] partUtf8(int i) {
        return names[i];
    }

    /** The array index that a part stands for, or -1. */
    public int index(int i) {
        return indexes[i];
    }

    public String first() {
        return parts[0];
    }

    public String last() {
        return parts[parts.length - 1];
    }

    /** The path without its first parts, of which some remain. */
    public DottedPath from(int part) {
        return part == 0 ? this : of(Arrays.copyOfRange(parts, part, parts.length));
    }

    /** The first so many parts, at least one. */
    public DottedPath prefix(int size) {
        return size == parts.length ? this : of(Arrays.copyOf(parts, size));
    }

    public DottedPath append(DottedPath more) {
        return of(text + '.' + more.text);
    }

    private static DottedPath of(String[] parts) {
        return new DottedPath(String.join(".", parts), parts);
    }

    /** Whether the other path leads to this one's value or below it. */
    public boolean isPrefixOf(DottedPath other) {
        return parts.length <= other.parts.length
                && Arrays.equals(parts, 0, parts.length, other.parts, 0, parts.length);
    }

    /** Whether one of the two paths is the other or leads below it, so that both cannot be changed at once. */
    public boolean overlaps(DottedPath other) {
        return isPrefixOf(other) || other.isPrefixOf(this);
    }

    // ---- as filters see it

    /**
     * Offers the values at this path to the test until it accepts one, and answers in which element of the outermost
     * array searched that was. An array on the way is searched through all its elements that are documents; a number
     * also means the element at that position. An array at the end offers its elements, if asked to, and then itself. A
     * missing value is offered with type 0, once per document that should have it, but never for an array without
     * documents: {@code {a: []}} has no missing {@code a.b}.
     */
    public int find(byte[] bytes, int document, boolean elements, ElementTest test) {
        step();
        return PathSearch.document(this, 0, bytes, document, elements, test);
    }

    public int find(RawDocument document, boolean elements, ElementTest test) {
        return find(document.array(), document.offset(), elements, test);
    }

    /** The value at this path, with no arrays searched: numbers are positions where an array stands. */
    public @Nullable Value literal(RawDocument document) {
        step();
        @Nullable Value value = Value.of(document);
        for (int i = 0; i < parts.length && value != null; i++) {
            value = switch (value) {
                case Value.Doc(RawDocument inner) -> inner.get(names[i]);
                case Value.Array(RawDocument elements) -> element(elements, indexes[i]);
                default -> null;
            };
        }
        return value;
    }

    private static @Nullable Value element(RawDocument elements, int index) {
        ElementCursor at = elements.cursor();
        for (int i = 0; at.next(); i++) {
            if (i == index) {
                return at.value();
            }
        }
        return null;
    }

    /** Part by part; numbers by their value and before names, the order in which updates add fields. */
    @Override
    public int compareTo(DottedPath other) {
        int shorter = Math.min(parts.length, other.parts.length);
        for (int i = 0; i < shorter; i++) {
            int order = compareParts(parts[i], other.parts[i]);
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(parts.length, other.parts.length);
    }

    /** Numbers by their value and before names, names by code point. */
    public static int compareParts(String a, String b) {
        boolean numberA = isNumber(a);
        boolean numberB = isNumber(b);
        if (numberA && numberB) {
            int byValue = new java.math.BigInteger(a).compareTo(new java.math.BigInteger(b));
            return byValue != 0 ? byValue : Integer.compare(a.length(), b.length());
        }
        if (numberA || numberB) {
            return numberA ? -1 : 1;
        }
        return Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }

    private static boolean isNumber(String part) {
        for (int i = 0; i < part.length(); i++) {
            if (part.charAt(i) < '0' || part.charAt(i) > '9') {
                return false;
            }
        }
        return !part.isEmpty();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DottedPath that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
