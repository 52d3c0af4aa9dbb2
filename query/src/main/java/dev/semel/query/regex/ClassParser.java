package dev.semel.query.regex;

import dev.semel.query.regex.Escapes.Found;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Reads a class in square brackets. */
final class ClassParser {
    private final Scanner in;
    private final Escapes escapes;
    private final boolean unicode;
    private final boolean ignoreCase;
    private final boolean skipsBlanks;
    private final List<IntPredicate> parts = new ArrayList<>();
    private boolean quoting;

    /** @param skipsBlanks of the flag {@code xx} */
    ClassParser(Scanner in, boolean unicode, boolean ignoreCase, boolean skipsBlanks) {
        this.in = in;
        this.escapes = new Escapes(in);
        this.unicode = unicode;
        this.ignoreCase = ignoreCase;
        this.skipsBlanks = skipsBlanks;
    }

    /** Behind the opening bracket. */
    CharSet parse() {
        boolean negative = in.skip("^");
        boolean first = true;
        while (true) {
            if (skipped()) {
                continue;
            }
            if (in.atEnd()) {
                throw new InvalidRegex("missing terminating ] for character class");
            }
            if (!quoting && !first && in.skip("]")) {
                break;
            }
            first = false;
            item();
        }
        IntPredicate[] any = parts.toArray(IntPredicate[]::new);
        IntPredicate union = c -> {
            for (IntPredicate each : any) {
                if (each.test(c)) {
                    return true;
                }
            }
            return false;
        };
        return CharSet.of(negative ? union.negate() : union);
    }

    /** What is no part of the class: the marks of quoting, and blanks where they do not count. */
    private boolean skipped() {
        if (quoting) {
            if (in.skip("\\E")) {
                quoting = false;
                return true;
            }
            return false;
        }
        if (in.skip("\\Q")) {
            quoting = true;
            return true;
        }
        return in.skip("\\E") || (skipsBlanks && (in.skip(" ") || in.skip("\t")));
    }

    private void item() {
        if (!quoting && in.peek() == '[' && posix()) {
            refuseRangeAfterSet();
            return;
        }
        Found low = character();
        IntPredicate set = low.set();
        if (set != null) {
            parts.add(set);
            refuseRangeAfterSet();
            return;
        }
        skipAll();
        if (quoting || in.peek() != '-' || endsBehindHyphen()) {
            add(low.codePoint(), low.codePoint());
            return;
        }
        in.skip("-");
        skipAll();
        if (!quoting && in.peek() == '[' && isPosix()) {
            throw invalidRange();
        }
        Found high = character();
        if (high.set() != null) {
            throw invalidRange();
        }
        if (high.codePoint() < low.codePoint()) {
            throw new InvalidRegex("range out of order in character class");
        }
        add(low.codePoint(), high.codePoint());
    }

    private void skipAll() {
        while (skipped()) {
            // Goes on to what counts.
        }
    }

    private boolean endsBehindHyphen() {
        int before = in.position();
        boolean wasQuoting = quoting;
        in.skip("-");
        skipAll();
        boolean ends = in.atEnd() || (!quoting && in.peek() == ']');
        in.position(before);
        quoting = wasQuoting;
        return ends;
    }

    /** A set cannot begin a range; a hyphen behind it is one only at the end of the class. */
    private void refuseRangeAfterSet() {
        skipAll();
        if (!quoting && in.peek() == '-' && !endsBehindHyphen()) {
            throw invalidRange();
        }
    }

    private static InvalidRegex invalidRange() {
        return new InvalidRegex("invalid range in character class");
    }

    private void add(int low, int high) {
        if (low == high && ignoreCase) {
            int folded = Case.fold(low);
            parts.add(c -> Case.fold(c) == folded);
        } else {
            addChars(c -> c >= low && c <= high);
        }
    }

    /** Properties do not know of ignoring case, characters do. */
    private void addChars(IntPredicate chars) {
        parts.add(ignoreCase ? Case.ignoring(chars) : chars);
    }

    private Found character() {
        if (quoting || in.peek() != '\\') {
            return Found.one(in.next());
        }
        in.skip("\\");
        return switch (in.peek()) {
            case 'b' -> {
                in.skip("b");
                yield Found.one('\b');
            }
            case 'B', 'R', 'X' -> throw new InvalidRegex("escape sequence is invalid in character class");
            case 'N' -> {
                if (!in.startsWith("N{U+")) {
                    throw new InvalidRegex("\\N is not supported in a class");
                }
                yield escapes.read(unicode);
            }
            default -> escapes.read(unicode);
        };
    }

    private boolean isPosix() {
        char kind = in.peek(1);
        if (kind != ':' && kind != '.' && kind != '=') {
            return false;
        }
        for (int i = 2; in.peek(i) != 0; i++) {
            char c = in.peek(i);
            if (c == kind && in.peek(i + 1) == ']') {
                return true;
            }
            if (c == ']' || c == '\\' || c == '[') {
                return false;
            }
        }
        return false;
    }

    private boolean posix() {
        if (!isPosix()) {
            return false;
        }
        if (in.peek(1) != ':') {
            throw new InvalidRegex("POSIX collating elements are not supported");
        }
        in.skip("[:");
        boolean negative = in.skip("^");
        @Nullable
        IntPredicate named = Classes.posix(in.until(":]", "missing terminating ] for character class"), unicode);
        if (named == null) {
            throw new InvalidRegex("unknown POSIX class name");
        }
        addChars(negative ? named.negate() : named);
        return true;
    }
}
