package dev.semel.store.key;

import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.LittleEndian;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.nio.charset.StandardCharsets;

/** Writes keys, value by value; see the package for the form. One writer may write many keys, one after the other. */
public final class KeyWriter {
    /** How long a key may become; beyond it is error 17280. */
    public static final int BYTES_MAX = 1024 * 1024;

    private static final long SIGN = Long.MIN_VALUE;

    private final KeyBytes out = new KeyBytes();

    /** The key of nothing but this value. */
    public static byte[] keyOf(Value value) {
        return new KeyWriter().put(value, false).toKey();
    }

    /** A number of a collection or index, before the values; four bytes. */
    public KeyWriter prefix(int number) {
        out.putInt(number);
        return this;
    }

    /** Bytes that are part of a key already, such as an encoded {@code _id}. */
    public KeyWriter encoded(byte[] bytes, int from, int count) {
        out.put(bytes, from, count);
        return this;
    }

    public KeyWriter put(Value value, boolean descending) {
        int from = out.length();
        put(value);
        flipIf(descending, from);
        return this;
    }

    /** The same of a value as it stands in a document: its type byte, and where it begins. */
    public KeyWriter put(byte type, byte[] bytes, int at, boolean descending) {
        int from = out.length();
        put(type, bytes, at);
        flipIf(descending, from);
        return this;
    }

    public int length() {
        return out.length();
    }

    /** Takes back what was written beyond this length. */
    public KeyWriter truncate(int length) {
        out.truncate(length);
        return this;
    }

    /** What was written, as its own array. */
    public byte[] toKey() {
        return out.toArray();
    }

    private void flipIf(boolean descending, int from) {
        if (descending) {
            out.flip(from);
        }
    }

    private void put(Value value) {
        switch (value) {
            case Value.Int32(int number) -> NumberKeys.put(out, number);
            case Value.Int64(long number) -> NumberKeys.put(out, number);
            case Value.Double64(double number) -> NumberKeys.put(out, number);
            case Value.Decimal(Decimal128 number) -> NumberKeys.put(out, number);
            case Value.Str(Text text) -> putText(Codes.STRING, text);
            case Value.Symbol(Text text) -> putText(Codes.STRING, text);
            case Value.Doc(RawDocument document) -> putDocument(document.array(), document.offset());
            case Value.Array(RawDocument elements) -> putArray(elements.array(), elements.offset());
            case Value.Binary(byte subtype, byte[] bytes) -> {
                out.put(Codes.BINARY);
                out.putInt(bytes.length);
                out.put(subtype);
                out.put(bytes, 0, bytes.length);
            }
            case Value.Oid(ObjectId id) -> {
                byte[] bytes = id.toBytes();
                out.put(Codes.OBJECT_ID);
                out.put(bytes, 0, bytes.length);
            }
            case Value.Bool(boolean bool) -> out.put(bool ? Codes.TRUE : Codes.FALSE);
            case Value.Date(long millis) -> putLong(Codes.DATE, millis ^ SIGN);
            case Value.Timestamp(long time) -> putLong(Codes.TIMESTAMP, time);
            case Value.Regex(String pattern, String options) -> {
                putText(Codes.REGEX, Text.of(pattern));
                byte[] letters = options.getBytes(StandardCharsets.UTF_8);
                out.putText(letters, 0, letters.length);
            }
            case Value.DbPointer(Text namespace, ObjectId id) -> {
                byte[] name = namespace.toBytes();
                byte[] bytes = id.toBytes();
                out.put(Codes.DB_POINTER);
                out.putInt(name.length);
                out.put(name, 0, name.length);
                out.put(bytes, 0, bytes.length);
            }
            case Value.Code(Text source) -> putText(Codes.CODE, source);
            case Value.CodeWithScope(Text source, RawDocument scope) -> {
                putText(Codes.CODE_WITH_SCOPE, source);
                putFields(scope.array(), scope.offset());
            }
            case Value.Constant constant ->
                out.put(Codes.kind((byte) constant.type().code()));
        }
    }

    private void put(byte type, byte[] bytes, int at) {
        switch (type) {
            case 0x01 -> NumberKeys.put(out, Double.longBitsToDouble(LittleEndian.int64(bytes, at)));
            case 0x10 -> NumberKeys.put(out, LittleEndian.int32(bytes, at));
            case 0x12 -> NumberKeys.put(out, LittleEndian.int64(bytes, at));
            case 0x02, 0x0E -> {
                out.put(Codes.STRING);
                out.putText(bytes, at + 4, at + 3 + LittleEndian.int32(bytes, at));
            }
            case 0x03 -> putDocument(bytes, at);
            case 0x04 -> putArray(bytes, at);
            case 0x07 -> {
                out.put(Codes.OBJECT_ID);
                out.put(bytes, at, 12);
            }
            default -> put(ElementCursor.decode(bytes, type, at));
        }
    }

    private void putText(int code, Text text) {
        byte[] bytes = text.toBytes();
        out.put(code);
        out.putText(bytes, 0, bytes.length);
    }

    private void putLong(int code, long value) {
        out.put(code);
        out.putLong(value);
    }

    private void putDocument(byte[] bytes, int at) {
        out.put(Codes.OBJECT);
        putFields(bytes, at);
    }

    private void putFields(byte[] bytes, int start) {
        int at = start + 4;
        int end = start + LittleEndian.int32(bytes, start) - 1;
        while (at < end) {
            byte type = bytes[at];
            int nameEnd = nameEnd(bytes, at + 1);
            out.put(Codes.kind(type));
            out.putText(bytes, at + 1, nameEnd);
            put(type, bytes, nameEnd + 1);
            at = nameEnd + 1 + ElementCursor.valueLength(bytes, type, nameEnd + 1);
        }
        out.put(0);
    }

    private void putArray(byte[] bytes, int start) {
        out.put(Codes.ARRAY);
        int at = start + 4;
        int end = start + LittleEndian.int32(bytes, start) - 1;
        while (at < end) {
            byte type = bytes[at];
            int value = nameEnd(bytes, at + 1) + 1;
            put(type, bytes, value);
            at = value + ElementCursor.valueLength(bytes, type, value);
        }
        out.put(0);
    }

    private static int nameEnd(byte[] bytes, int at) {
        int end = at;
        while (bytes[end] != 0) {
            end++;
        }
        return end;
    }
}
