package dev.semel.store.key;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A growing array of bytes, the highest byte of a number first. */
final class KeyBytes {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** Behind what is written there is always room for a number. */
    private byte[] bytes = new byte[64];

    private int length;

    int length() {
        return length;
    }

    void truncate(int to) {
        length = to;
    }

    byte[] toArray() {
        return Arrays.copyOf(bytes, length);
    }

    void put(int one) {
        reserve(1);
        bytes[length++] = (byte) one;
    }

    void putInt(int four) {
        putLow(four, Integer.BYTES);
    }

    void putLong(long eight) {
        putLow(eight, Long.BYTES);
    }

    /** The lowest so many bytes, one at least. */
    void putLow(long value, int count) {
        reserve(count);
        LONG.set(bytes, length, value << (Long.SIZE - Byte.SIZE * count));
        length += count;
    }

    void put(byte[] source, int from, int count) {
        reserve(count);
        System.arraycopy(source, from, bytes, length, count);
        length += count;
    }

    /** As text: see the package for the form. */
    void putText(byte[] source, int from, int to) {
        reserve(to - from + 1);
        for (int i = from; i < to; i++) {
            byte one = source[i];
            if (one == 0 || one == 1) {
                put(1);
                put(one + 1);
            } else {
                put(one);
            }
        }
        put(0);
    }

    /** Flips all bits from here to the end. */
    void flip(int from) {
        for (int i = from; i < length; i++) {
            bytes[i] = (byte) ~bytes[i];
        }
    }

    private void reserve(int more) {
        if (more > KeyWriter.BYTES_MAX - length) {
            throw new CommandException(
                    ErrorCode.location(17280),
                    "key too large: an index key or _id may take up to %d bytes in its stored form",
                    KeyWriter.BYTES_MAX);
        }
        if (length + more + Long.BYTES > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more + Long.BYTES));
        }
    }
}
