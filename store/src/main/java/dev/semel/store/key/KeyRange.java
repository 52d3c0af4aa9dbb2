package dev.semel.store.key;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Keys from {@code low}, inclusive, to {@code high}, exclusive, in the order of unsigned bytes. The empty key is the
 * lowest; no high bound means no end. Other kinds of bounds are brought to this form by {@link #successor}.
 */
public record KeyRange(byte[] low, byte @Nullable [] high) {
    private static final byte[] LOWEST = {};

    public static final KeyRange ALL = new KeyRange(LOWEST, null);

    /** Null means unbounded on that side. */
    public static KeyRange of(
            byte @Nullable [] low, boolean lowInclusive, byte @Nullable [] high, boolean highInclusive) {
        return new KeyRange(
                low == null ? LOWEST : lowInclusive ? low : successor(low),
                high == null ? null : highInclusive ? successor(high) : high);
    }

    public static KeyRange closed(byte[] low, byte[] high) {
        return new KeyRange(low, successor(high));
    }

    public static KeyRange point(byte[] key) {
        return closed(key, key);
    }

    public static KeyRange atLeast(byte[] low) {
        return new KeyRange(low, null);
    }

    /** All keys that begin with these bytes. */
    public static KeyRange prefix(byte[] prefix) {
        return new KeyRange(prefix, prefixEnd(prefix));
    }

    /** The lowest key above this one. */
    public static byte[] successor(byte[] key) {
        return Arrays.copyOf(key, key.length + 1);
    }

    /** The lowest key above all that begin with these bytes; null if there is none. */
    public static byte @Nullable [] prefixEnd(byte[] prefix) {
        for (int last = prefix.length - 1; last >= 0; last--) {
            if (prefix[last] != (byte) 0xFF) {
                byte[] end = Arrays.copyOf(prefix, last + 1);
                end[last]++;
                return end;
            }
        }
        return null;
    }

    /** Whether these are all keys that begin with the bytes of {@code low}, and others come after them. */
    public boolean isPrefix() {
        return high != null && Arrays.equals(high, prefixEnd(low));
    }

    /** What of it comes after a key in it. */
    public KeyRange above(byte[] key) {
        return new KeyRange(successor(key), high);
    }

    public boolean isEmpty() {
        return high != null && Arrays.compareUnsigned(low, high) >= 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyRange that && Arrays.equals(low, that.low) && Arrays.equals(high, that.high);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(low) + Arrays.hashCode(high);
    }

    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return "[" + hex.formatHex(low) + ", " + (high == null ? "" : hex.formatHex(high)) + ")";
    }
}
