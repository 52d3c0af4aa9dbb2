package dev.semel.wire.bson;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes one document front to back into a growing array. Arrays are opened with {@link #startArray} and filled with
 * {@link #add}, which counts the indexes itself.
 *
 * <pre>{@code
 * RawDocument reply = new BsonWriter().put("n", 1).put("ok", 1.0).finish();
 * }</pre>
 */
public final class BsonWriter {
    /** More than any message may have; an expression that builds more is stopped before memory is. */
    private static final int BYTES_MAX = 64 * 1024 * 1024;

    private static final int LARGE_BYTES = 1 << 20;

    private byte[] bytes;
    private int position;

    /** Two numbers for each open document or array: where it starts, and the index of its next element. */
    private int[] levels = new int[2 * 4];

    private int depth;

    public BsonWriter() {
        this(256);
    }

    public BsonWriter(int expectedBytes) {
        bytes = new byte[Math.max(16, expectedBytes)];
        open();
    }

    // ---- values by name

    public BsonWriter put(String name, int value) {
        element(BsonType.INT32, name);
        int32(value);
        return this;
    }

    public BsonWriter put(String name, long value) {
        element(BsonType.INT64, name);
        int64(value);
        return this;
    }

    public BsonWriter put(String name, double value) {
        element(BsonType.DOUBLE, name);
        int64(Double.doubleToRawLongBits(value));
        return this;
    }

    public BsonWriter put(String name, boolean value) {
        element(BsonType.BOOLEAN, name);
        int8(value ? 1 : 0);
        return this;
    }

    public BsonWriter put(String name, String value) {
        element(BsonType.STRING, name);
        text(value);
        return this;
    }

    public BsonWriter put(String name, RawDocument value) {
        element(BsonType.DOCUMENT, name);
        raw(value.array(), value.offset(), value.length());
        return this;
    }

    public BsonWriter put(String name, Value value) {
        element(value.type(), name);
        value(value);
        return this;
    }

    public BsonWriter put(Text name, Value value) {
        element(value.type(), name);
        value(value);
        return this;
    }

    public BsonWriter putNull(String name) {
        element(BsonType.NULL, name);
        return this;
    }

    /** Copies the cursor's element, name and all, without decoding it. */
    public BsonWriter copy(ElementCursor from) {
        raw(from.array(), from.elementStart(), from.valueEnd() - from.elementStart());
        return this;
    }

    /** Copies the cursor's value under another name, without decoding it. */
    public BsonWriter copy(String name, ElementCursor from) {
        element(from.type(), name);
        raw(from.array(), from.valueStart(), from.valueEnd() - from.valueStart());
        return this;
    }

    /** Copies the cursor's value under another name, without decoding it. */
    public BsonWriter copy(Text name, ElementCursor from) {
        element(from.type(), name);
        raw(from.array(), from.valueStart(), from.valueEnd() - from.valueStart());
        return this;
    }

    /** Copies a run of whole elements, as they stand in another document, from one offset to another. */
    public BsonWriter copyElements(byte[] from, int start, int end) {
        raw(from, start, end - start);
        return this;
    }

    /** Copies every element of a document into the one being written. */
    public BsonWriter copyAll(RawDocument from) {
        raw(from.array(), from.offset() + 4, from.length() - 5);
        return this;
    }

    public BsonWriter startDocument(String name) {
        element(BsonType.DOCUMENT, name);
        open();
        return this;
    }

    public BsonWriter startArray(String name) {
        element(BsonType.ARRAY, name);
        open();
        return this;
    }

    public BsonWriter startDocument(Text name) {
        element(BsonType.DOCUMENT, name);
        open();
        return this;
    }

    public BsonWriter startArray(Text name) {
        element(BsonType.ARRAY, name);
        open();
        return this;
    }

    // ---- values of an array

    public BsonWriter add(Value value) {
        indexed(value.type());
        value(value);
        return this;
    }

    public BsonWriter add(RawDocument value) {
        indexed(BsonType.DOCUMENT);
        raw(value.array(), value.offset(), value.length());
        return this;
    }

    public BsonWriter add(String value) {
        indexed(BsonType.STRING);
        text(value);
        return this;
    }

    /** Copies the cursor's value as the next one of the array. */
    public BsonWriter add(ElementCursor from) {
        indexed(from.type());
        raw(from.array(), from.valueStart(), from.valueEnd() - from.valueStart());
        return this;
    }

    public BsonWriter startDocument() {
        indexed(BsonType.DOCUMENT);
        open();
        return this;
    }

    public BsonWriter startArray() {
        indexed(BsonType.ARRAY);
        open();
        return this;
    }

    // ---- the end

    /** Ends the document or array opened last. */
    public BsonWriter end() {
        int8(0);
        depth--;
        int start = levels[2 * depth];
        LittleEndian.putInt32(bytes, start, position - start);
        return this;
    }

    /**
     * Gives the array the length that the document will have, so that it can be kept as it is.
     *
     * @param more bytes that are still to come, the ends of all documents included
     */
    public BsonWriter expecting(int more) {
        if (bytes.length - position != more) {
            resize(Math.addExact(position, more));
        }
        return this;
    }

    /** Ends the outermost document and hands it over; the writer is used up. */
    public RawDocument finish() {
        if (depth != 1) {
            throw new IllegalStateException("unfinished documents: " + (depth - 1));
        }
        end();
        return RawDocument.view(bytes, 0);
    }

    /** The same as an array value, for a writer whose outermost level was filled with {@link #add}. */
    public Value.Array finishArray() {
        return new Value.Array(finish());
    }

    /** Bytes written so far; what a batch watches so as not to grow past a message. */
    public int length() {
        return position;
    }

    // ---- bytes

    private void open() {
        if (2 * depth == levels.length) {
            levels = Arrays.copyOf(levels, 2 * levels.length);
        }
        levels[2 * depth] = position;
        levels[2 * depth + 1] = 0;
        depth++;
        int32(0);
    }

    private void indexed(BsonType type) {
        int index = levels[2 * depth - 1]++;
        int8(type.code());
        if (index < 10) {
            int8('0' + index);
        } else {
            decimal(index);
        }
        int8(0);
    }

    private void decimal(int number) {
        int digits = 0;
        for (int rest = number; rest > 0; rest /= 10) {
            digits++;
        }
        reserve(digits);
        position += digits;
        int at = position;
        for (int rest = number; rest > 0; rest /= 10) {
            bytes[--at] = (byte) ('0' + rest % 10);
        }
    }

    private void element(BsonType type, Text name) {
        int8(type.code());
        reserve(name.length() + 1);
        int start = position;
        name.copyTo(bytes, start);
        position += name.length();
        bytes[position++] = 0;
        refuseNull(start);
    }

    private void element(BsonType type, String name) {
        int8(type.code());
        cString(name);
    }

    private void cString(String string) {
        int start = position;
        utf8(string);
        int8(0);
        refuseNull(start);
    }

    /** A null inside a name would end it early and turn what follows into something else. */
    private void refuseNull(int start) {
        for (int i = start; i < position - 1; i++) {
            if (bytes[i] == 0) {
                throw new CommandException(
                        ErrorCode.BadValue, "field names and regular expressions cannot contain null bytes");
            }
        }
    }

    /** Most strings are ASCII, which needs no array in between. */
    private void utf8(String string) {
        int length = string.length();
        reserve(length);
        for (int i = 0; i < length; i++) {
            char c = string.charAt(i);
            if (c >= 0x80) {
                byte[] encoded = string.substring(i).getBytes(StandardCharsets.UTF_8);
                position += i;
                raw(encoded, 0, encoded.length);
                return;
            }
            bytes[position + i] = (byte) c;
        }
        position += length;
    }

    private void text(String text) {
        int start = position;
        int32(0);
        utf8(text);
        int8(0);
        LittleEndian.putInt32(bytes, start, position - start - 4);
    }

    private void value(Value value) {
        switch (value) {
            case Value.Double64(double number) -> int64(Double.doubleToRawLongBits(number));
            case Value.Str(Text text) -> text(text);
            case Value.Doc(RawDocument document) -> raw(document.array(), document.offset(), document.length());
            case Value.Array(RawDocument elements) -> raw(elements.array(), elements.offset(), elements.length());
            case Value.Binary(byte subtype, byte[] data) -> {
                int32(data.length);
                int8(subtype);
                raw(data, 0, data.length);
            }
            case Value.Oid(ObjectId id) -> objectId(id);
            case Value.Bool(boolean bool) -> int8(bool ? 1 : 0);
            case Value.Date(long millis) -> int64(millis);
            case Value.Regex(String pattern, String options) -> {
                cString(pattern);
                cString(options);
            }
            case Value.DbPointer(Text namespace, ObjectId id) -> {
                text(namespace);
                objectId(id);
            }
            case Value.Code(Text source) -> text(source);
            case Value.Symbol(Text text) -> text(text);
            case Value.CodeWithScope(Text source, RawDocument scope) -> {
                int32(4 + 4 + source.length() + 1 + scope.length());
                text(source);
                raw(scope.array(), scope.offset(), scope.length());
            }
            case Value.Int32(int number) -> int32(number);
            case Value.Int64(long number) -> int64(number);
            case Value.Timestamp(long timestamp) -> int64(timestamp);
            case Value.Decimal(Decimal128 decimal) -> {
                int64(decimal.low());
                int64(decimal.high());
            }
            case Value.Constant ignored -> {}
        }
    }

    private void text(Text text) {
        int32(text.length() + 1);
        reserve(text.length() + 1);
        text.copyTo(bytes, position);
        position += text.length();
        bytes[position++] = 0;
    }

    private void objectId(ObjectId id) {
        reserve(12);
        id.write(bytes, position);
        position += 12;
    }

    private void raw(byte[] from, int at, int length) {
        reserve(length);
        System.arraycopy(from, at, bytes, position, length);
        position += length;
    }

    private void int8(int value) {
        reserve(1);
        bytes[position++] = (byte) value;
    }

    private void int32(int value) {
        reserve(4);
        LittleEndian.putInt32(bytes, position, value);
        position += 4;
    }

    private void int64(long value) {
        reserve(8);
        LittleEndian.putInt64(bytes, position, value);
        position += 8;
    }

    private void reserve(int more) {
        if (bytes.length - position < more) {
            grow((long) position + more);
        }
    }

    private void grow(long wanted) {
        // What is large already grows by less, so that it takes no more than half again of what it holds.
        long next = bytes.length < LARGE_BYTES ? bytes.length * 2L : bytes.length + bytes.length / 2L;
        resize(Math.max(wanted, Math.min(next, BYTES_MAX)));
    }

    private void resize(long wanted) {
        if (wanted > BYTES_MAX) {
            throw new CommandException(
                    ErrorCode.location(13548),
                    "BufBuilder attempted to grow() to %d bytes, past the 64MB limit.",
                    wanted);
        }
        bytes = Arrays.copyOf(bytes, (int) wanted);
    }
}
