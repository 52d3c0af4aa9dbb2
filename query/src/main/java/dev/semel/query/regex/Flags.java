package dev.semel.query.regex;

/** Options of a pattern, as bits of a number. */
final class Flags {
    static final int IGNORE_CASE = 1;
    static final int MULTILINE = 1 << 1;
    static final int DOT_ALL = 1 << 2;
    static final int EXTENDED = 1 << 3;
    static final int EXTENDED_MORE = 1 << 4;
    static final int NO_AUTO_CAPTURE = 1 << 5;
    static final int DUPLICATE_NAMES = 1 << 6;
    static final int SWAPS_GREED = 1 << 7;
    static final int UNICODE = 1 << 8;

    private Flags() {}
}
