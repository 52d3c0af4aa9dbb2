package dev.semel.query.regex;

import java.util.function.IntPredicate;

/** A set of characters. Those of ASCII are looked up, others are asked for. */
final class CharSet {
    private static final int ASCII_HALF = 64;
    private static final int ASCII_END = 128;

    static final CharSet ALL = new CharSet(c -> true);
    static final CharSet ALL_BUT_NEWLINE = new CharSet(c -> c != '\n');

    private final IntPredicate test;
    private final long first;
    private final long second;

    private CharSet(IntPredicate test) {
        this.test = test;
        this.first = bits(test, 0);
        this.second = bits(test, ASCII_HALF);
    }

    static CharSet of(IntPredicate test) {
        return new CharSet(test);
    }

    private static long bits(IntPredicate test, int from) {
        long bits = 0;
        for (int i = 0; i < ASCII_HALF; i++) {
            bits |= test.test(from + i) ? 1L << i : 0;
        }
        return bits;
    }

    boolean contains(int c) {
        if (c < ASCII_HALF) {
            return (first >>> c & 1) != 0;
        }
        return c < ASCII_END ? (second >>> (c - ASCII_HALF) & 1) != 0 : test.test(c);
    }
}
