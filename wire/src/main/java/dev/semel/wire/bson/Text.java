package dev.semel.wire.bson;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A string as its UTF-8 bytes, a view into a document. Strings compare as bytes in MongoDB and most are only compared,
 * so decoding is deferred until a {@link String} is needed; bytes that are not valid UTF-8 survive a copy unchanged.
 */
public final class Text implements Comparable<Text> {
    public static final Text EMPTY = new Text(new byte[0], 0, 0);

    private final byte[] bytes;
    private final int offset;
    private final int length;

    /** A view: the array must not change afterwards. */
    public Text(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
    }

    public static Text of(String string) {
        byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
        return new Text(bytes, 0, bytes.length);
    }

    /** In bytes. */
    public int length() {
        return length;
    }

    public boolean isEmpty() {
        return length == 0;
    }

    public byte byteAt(int index) {
        return bytes[offset + index];
    }

    public byte[] toBytes() {
        return Arrays.copyOfRange(bytes, offset, offset + length);
    }

    public void copyTo(byte[] target, int at) {
        System.arraycopy(bytes, offset, target, at, length);
    }

    /** The order of unsigned bytes, which for UTF-8 is the order of code points. */
    @Override
    public int compareTo(Text other) {
        return Arrays.compareUnsigned(
                bytes, offset, offset + length, other.bytes, other.offset, other.offset + other.length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Text that
                && length == that.length
                && Arrays.equals(bytes, offset, offset + length, that.bytes, that.offset, that.offset + that.length);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + bytes[i];
        }
        return hash;
    }

    @Override
    public String toString() {
        return new String(bytes, offset, length, StandardCharsets.UTF_8);
    }
}
