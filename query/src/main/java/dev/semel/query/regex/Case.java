package dev.semel.query.regex;

import java.util.function.IntPredicate;

/** Upper and lower case, one character for one, as PCRE2 compares without case. */
final class Case {
    private static final int DOTTED_CAPITAL_I = 0x130;
    private static final int DOTLESS_SMALL_I = 0x131;

    private Case() {}

    /** The same for all characters that are equal but for their case. */
    static int fold(int c) {
        return isTurkish(c) ? c : Character.toLowerCase(Character.toUpperCase(c));
    }

    static int upper(int c) {
        return isTurkish(c) ? c : Character.toUpperCase(c);
    }

    static int lower(int c) {
        return isTurkish(c) ? c : Character.toLowerCase(c);
    }

    static int title(int c) {
        return isTurkish(c) ? c : Character.toTitleCase(c);
    }

    /** Whether it holds for the character in any case. */
    static IntPredicate ignoring(IntPredicate test) {
        return c ->
                test.test(c) || test.test(fold(c)) || test.test(upper(c)) || test.test(lower(c)) || test.test(title(c));
    }

    /** They are the other case of a plain i in Turkish only. */
    private static boolean isTurkish(int c) {
        return c == DOTTED_CAPITAL_I || c == DOTLESS_SMALL_I;
    }
}
