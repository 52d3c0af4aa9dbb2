package dev.semel.wire.bson;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Walks the elements of one document without creating anything per element: what a matcher, an index or a projection
 * wants is decoded when asked for.
 *
 * <pre>{@code
 * for (var at = document.cursor(); at.next(); ) {
 *     if (at.nameIs(wanted)) return at.value();
 * }
 * }</pre>
 */
public final class ElementCursor {
    private final byte[] bytes;
    private final int end;
    private int elementStart;
    private int nameEnd;
    private int valueEnd;

    ElementCursor(byte[] bytes, int documentStart, int documentEnd) {
        this.bytes = bytes;
        this.end = documentEnd - 1;
        this.valueEnd = documentStart + 4;
    }

    /** Whether there is an element behind this one. */
    public boolean hasNext() {
        return valueEnd < end;
    }

    /** Moves to the next element; false after the last. */
    public boolean next() {
        if (valueEnd >= end) {
            return false;
        }
        elementStart = valueEnd;
        int at = elementStart + 1;
        while (bytes[at] != 0) {
            at++;
        }
        nameEnd = at;
        valueEnd = at + 1 + valueLength(bytes, bytes[elementStart], at + 1);
        return true;
    }

    public BsonType type() {
        return BsonType.of(bytes[elementStart]);
    }

    public String name() {
        return new String(bytes, elementStart + 1, nameEnd - elementStart - 1, StandardCharsets.UTF_8);
    }

    /** The name as UTF-8, a view. */
    public Text nameText() {
        return new Text(bytes, elementStart + 1, nameEnd - elementStart - 1);
    }

    public boolean nameIs(byte[] utf8) {
        return nameEnd - elementStart - 1 == utf8.length
                && Arrays.equals(bytes, elementStart + 1, nameEnd, utf8, 0, utf8.length);
    }

    public Value value() {
        return decode(bytes, bytes[elementStart], nameEnd + 1);
    }

    /** Where the value begins in {@link RawDocument#array()}. */
    public int valueStart() {
        return nameEnd + 1;
    }

    /** Where the value ends, exclusive, in {@link RawDocument#array()}. */
    public int valueEnd() {
        return valueEnd;
    }

    /** Where the element, its type byte first, begins in {@link RawDocument#array()}. */
    public int elementStart() {
        return elementStart;
    }

    /** What the offsets point into; shared and not to be changed. */
    public byte[] array() {
        return bytes;
    }

    /** How many bytes the value of this type that begins here takes. */
    public static int valueLength(byte[] bytes, byte type, int at) {
        return switch (type) {
            case 0x01, 0x09, 0x11, 0x12 -> 8;
            case 0x02, 0x0D, 0x0E -> 4 + LittleEndian.int32(bytes, at);
            case 0x03, 0x04, 0x0F -> LittleEndian.int32(bytes, at);
            case 0x05 -> 5 + LittleEndian.int32(bytes, at);
            case 0x06, 0x0A, (byte) 0xFF, 0x7F -> 0;
            case 0x07 -> 12;
            case 0x08 -> 1;
            case 0x0B -> {
                int firstEnd = cStringEnd(bytes, at);
                yield cStringEnd(bytes, firstEnd + 1) + 1 - at;
            }
            case 0x0C -> 4 + LittleEndian.int32(bytes, at) + 12;
            case 0x10 -> 4;
            case 0x13 -> 16;
            default -> throw new CommandException(ErrorCode.InvalidBSON, "Unrecognized BSON type 0x%02x", type & 0xFF);
        };
    }

    /** The value of this type that begins here. */
    public static Value decode(byte[] bytes, byte type, int at) {
        return switch (type) {
            case 0x01 -> new Value.Double64(Double.longBitsToDouble(LittleEndian.int64(bytes, at)));
            case 0x02 -> new Value.Str(text(bytes, at));
            case 0x03 -> new Value.Doc(RawDocument.view(bytes, at));
            case 0x04 -> new Value.Array(RawDocument.view(bytes, at));
            case 0x05 -> {
                int length = LittleEndian.int32(bytes, at);
                yield new Value.Binary(bytes[at + 4], Arrays.copyOfRange(bytes, at + 5, at + 5 + length));
            }
            case 0x06 -> Value.UNDEFINED;
            case 0x07 -> new Value.Oid(ObjectId.read(bytes, at));
            case 0x08 -> Value.of(bytes[at] != 0);
            case 0x09 -> new Value.Date(LittleEndian.int64(bytes, at));
            case 0x0A -> Value.NULL;
            case 0x0B -> {
                int patternEnd = cStringEnd(bytes, at);
                int optionsEnd = cStringEnd(bytes, patternEnd + 1);
                yield new Value.Regex(
                        new String(bytes, at, patternEnd - at, StandardCharsets.UTF_8),
                        new String(bytes, patternEnd + 1, optionsEnd - patternEnd - 1, StandardCharsets.UTF_8));
            }
            case 0x0C -> {
                Text namespace = text(bytes, at);
                yield new Value.DbPointer(namespace, ObjectId.read(bytes, at + 5 + namespace.length()));
            }
            case 0x0D -> new Value.Code(text(bytes, at));
            case 0x0E -> new Value.Symbol(text(bytes, at));
            case 0x0F -> {
                Text source = text(bytes, at + 4);
                yield new Value.CodeWithScope(source, RawDocument.view(bytes, at + 4 + 5 + source.length()));
            }
            case 0x10 -> new Value.Int32(LittleEndian.int32(bytes, at));
            case 0x11 -> new Value.Timestamp(LittleEndian.int64(bytes, at));
            case 0x12 -> new Value.Int64(LittleEndian.int64(bytes, at));
            case 0x13 ->
                new Value.Decimal(new Decimal128(LittleEndian.int64(bytes, at + 8), LittleEndian.int64(bytes, at)));
            case (byte) 0xFF -> Value.MIN_KEY;
            case 0x7F -> Value.MAX_KEY;
            default -> throw new CommandException(ErrorCode.InvalidBSON, "Unrecognized BSON type 0x%02x", type & 0xFF);
        };
    }

    private static Text text(byte[] bytes, int at) {
        return new Text(bytes, at + 4, LittleEndian.int32(bytes, at) - 1);
    }

    private static int cStringEnd(byte[] bytes, int at) {
        while (bytes[at] != 0) {
            at++;
        }
        return at;
    }
}
