package dev.semel.driver.connection;

import dev.semel.wire.bson.LittleEndian;
import dev.semel.wire.bson.RawDocument;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.bson.BsonSerializationException;
import org.bson.io.BsonInput;
import org.bson.io.BsonInputMark;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** What a codec reads: the bytes of one document after the other, where they lie. */
final class DocumentInput implements BsonInput {
    private static final int OBJECT_ID_BYTES = 12;

    private final @Nullable FieldNames names;
    private byte[] bytes = RawDocument.EMPTY.array();
    private int position;
    private int end;

    DocumentInput(@Nullable FieldNames names) {
        this.names = names;
    }

    void turnTo(RawDocument document) {
        bytes = document.array();
        position = document.offset();
        end = position + document.length();
    }

    /** Where what is taken now begins. */
    private int take(int count) {
        if (count < 0 || count > end - position) {
            throw new BsonSerializationException(
                    "A value of " + count + " bytes begins " + (end - position) + " bytes before the document ends");
        }
        int start = position;
        position += count;
        return start;
    }

    @Override
    public int getPosition() {
        return position;
    }

    @Override
    public byte readByte() {
        return bytes[take(1)];
    }

    @Override
    public void readBytes(byte[] target) {
        readBytes(target, 0, target.length);
    }

    @Override
    public void readBytes(byte[] target, int offset, int length) {
        System.arraycopy(bytes, take(length), target, offset, length);
    }

    @Override
    public long readInt64() {
        return LittleEndian.int64(bytes, take(Long.BYTES));
    }

    @Override
    public double readDouble() {
        return Double.longBitsToDouble(readInt64());
    }

    @Override
    public int readInt32() {
        return LittleEndian.int32(bytes, take(Integer.BYTES));
    }

    @Override
    public String readString() {
        int length = readInt32();
        if (length <= 0) {
            throw new BsonSerializationException("A string has a length of " + length + " bytes, its end included");
        }
        int start = take(length);
        if (bytes[start + length - 1] != 0) {
            throw new BsonSerializationException("A string does not end with a zero");
        }
        return new String(bytes, start, length - 1, StandardCharsets.UTF_8);
    }

    @Override
    public ObjectId readObjectId() {
        int start = take(OBJECT_ID_BYTES);
        return new ObjectId(Arrays.copyOfRange(bytes, start, start + OBJECT_ID_BYTES));
    }

    @Override
    public String readCString() {
        int start = position;
        skipCString();
        int length = position - 1 - start;
        return names == null
                ? new String(bytes, start, length, StandardCharsets.UTF_8)
                : names.name(bytes, start, length);
    }

    @Override
    public void skipCString() {
        int at = position;
        while (at < end && bytes[at] != 0) {
            at++;
        }
        if (at == end) {
            throw new BsonSerializationException("A name does not end before its document does");
        }
        position = at + 1;
    }

    @Override
    public void skip(int count) {
        take(count);
    }

    @Override
    public BsonInputMark getMark(int readLimit) {
        int marked = position;
        return () -> position = marked;
    }

    @Override
    public boolean hasRemaining() {
        return position < end;
    }

    @Override
    public int getRemaining() {
        return end - position;
    }

    @Override
    public void close() {
        // There is nothing to give back.
    }
}
