package dev.semel.query.expression;

import dev.semel.wire.bson.Text;

/**
 * Searches in time in proportion to both texts, whatever they are, with no memory: by the hash of as many bytes as are wanted, which
 * moves along the text (Rabin and Karp). For the few texts for which comparing byte by byte takes the product of their lengths.
 */
final class RollingSearch {
    /** A Mersenne prime, so that a remainder takes no division. */
    private static final long PRIME = (1L << 61) - 1;

    private static final long BASE = 0x0B7E151628AED2A7L;

    private RollingSearch() {}

    static int find(Text text, Text wanted, int from, int to) {
        int length = wanted.length();
        if (length > to - from) {
            return -1;
        }
        long sought = 0;
        long hash = 0;
        long leaving = 1;
        for (int i = 0; i < length; i++) {
            sought = next(sought, wanted.byteAt(i));
            hash = next(hash, text.byteAt(from + i));
            leaving = i == 0 ? 1 : times(leaving, BASE);
        }
        for (int at = from; ; at++) {
            if (hash == sought && isAt(text, wanted, at)) {
                return at;
            }
            if (at + length >= to) {
                return -1;
            }
            long gone = times(leaving, byteOf(text.byteAt(at)));
            hash = next(hash >= gone ? hash - gone : hash + PRIME - gone, text.byteAt(at + length));
        }
    }

    private static boolean isAt(Text text, Text wanted, int at) {
        for (int i = 0; i < wanted.length(); i++) {
            if (text.byteAt(at + i) != wanted.byteAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static long next(long hash, byte b) {
        return reduced(times(hash, BASE) + byteOf(b));
    }

    private static long byteOf(byte b) {
        return (b & 0xFF) + 1L;
    }

    private static long times(long a, long b) {
        long low = a * b;
        return reduced((low & PRIME) + ((low >>> 61) | (Math.multiplyHigh(a, b) << 3)));
    }

    private static long reduced(long number) {
        return number >= PRIME ? number - PRIME : number;
    }
}
