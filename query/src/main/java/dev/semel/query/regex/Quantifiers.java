package dev.semel.query.regex;

import org.jspecify.annotations.Nullable;

/** Reads how often an item is repeated: {@code x*}, {@code x{2,3}}. */
final class Quantifiers {
    private static final int REPEAT_MAX = 65_535;

    record Quantifier(int min, int max) {}

    private final Scanner in;

    Quantifiers(Scanner in) {
        this.in = in;
    }

    /** Null if none is here. */
    @Nullable
    Quantifier next() {
        if (in.skip("*")) {
            return new Quantifier(0, Node.UNLIMITED);
        }
        if (in.skip("+")) {
            return new Quantifier(1, Node.UNLIMITED);
        }
        if (in.skip("?")) {
            return new Quantifier(0, 1);
        }
        return isCount() ? count() : null;
    }

    /** Whether here is {@code {2}}, {@code {2,}} or {@code {2,3}}; any other brace stands for itself. */
    boolean isCount() {
        if (in.peek() != '{' || !Scanner.isDigit(in.peek(1))) {
            return false;
        }
        int i = 1;
        while (Scanner.isDigit(in.peek(i))) {
            i++;
        }
        if (in.peek(i) == ',') {
            i++;
            while (Scanner.isDigit(in.peek(i))) {
                i++;
            }
        }
        return in.peek(i) == '}';
    }

    private Quantifier count() {
        in.skip("{");
        int min = in.number(REPEAT_MAX, "number too big in {} quantifier");
        int max = min;
        if (in.skip(",")) {
            max = in.number(REPEAT_MAX, "number too big in {} quantifier");
        }
        in.skip("}");
        if (max != Node.UNLIMITED && max < min) {
            throw new InvalidRegex("numbers out of order in {} quantifier");
        }
        return new Quantifier(min, max);
    }

    /** The same, that many characters further on. */
    boolean isCount(int ahead) {
        int before = in.position();
        in.position(before + ahead);
        boolean count = isCount();
        in.position(before);
        return count;
    }
}
