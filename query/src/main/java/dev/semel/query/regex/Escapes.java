package dev.semel.query.regex;

import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** What stands behind a backslash and means the same within a class and outside: a character, or a set of them. */
final class Escapes {
    private final Scanner in;

    Escapes(Scanner in) {
        this.in = in;
    }

    /** Exactly one of the two. */
    record Found(int codePoint, @Nullable IntPredicate set) {
        static Found one(int codePoint) {
            return new Found(codePoint, null);
        }
    }

    /** Behind the backslash. */
    Found read(boolean unicode) {
        if (in.atEnd()) {
            throw new InvalidRegex("\\ at end of pattern");
        }
        int c = in.next();
        if (c >= 128 || !Character.isLetterOrDigit(c)) {
            return Found.one(c);
        }
        IntPredicate known = Classes.escape((char) c, unicode);
        if (known != null) {
            return new Found(0, known);
        }
        return switch (c) {
            case 'p', 'P' -> new Found(0, property(c == 'P'));
            case 'a' -> Found.one(7);
            case 'e' -> Found.one(27);
            case 'f' -> Found.one('\f');
            case 'n' -> Found.one('\n');
            case 'r' -> Found.one('\r');
            case 't' -> Found.one('\t');
            case 'c' -> Found.one(control());
            case 'x' -> Found.one(valid(in.skip("{") ? in.braced(true) : in.digits(16, 2)));
            case 'o' -> {
                if (!in.skip("{")) {
                    throw new InvalidRegex("missing opening brace after \\o");
                }
                yield Found.one(valid(in.braced(false)));
            }
            case 'N' -> {
                if (!in.skip("{U+")) {
                    throw unsupported();
                }
                yield Found.one(valid(in.braced(true)));
            }
            case 'L', 'l', 'U', 'u', 'F' -> throw unsupported();
            default -> {
                if (c >= '0' && c <= '7') {
                    in.position(in.position() - 1);
                    yield Found.one(in.digits(8, 3));
                }
                throw new InvalidRegex("unrecognized character follows \\");
            }
        };
    }

    private static InvalidRegex unsupported() {
        return new InvalidRegex("PCRE2 does not support \\F, \\L, \\l, \\N{name}, \\U, or \\u");
    }

    private int control() {
        if (in.atEnd()) {
            throw new InvalidRegex("\\c at end of pattern");
        }
        int c = in.next();
        if (c < ' ' || c > '~') {
            throw new InvalidRegex("\\c must be followed by a printable ASCII character");
        }
        return Character.toUpperCase(c) ^ 64;
    }

    private static int valid(int codePoint) {
        if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
            throw new InvalidRegex("disallowed Unicode code point (>= 0xd800 && <= 0xdfff)");
        }
        return codePoint;
    }

    private IntPredicate property(boolean negative) {
        if (in.atEnd()) {
            throw new InvalidRegex("malformed \\P or \\p sequence");
        }
        boolean denied = negative;
        String name;
        if (in.skip("{")) {
            if (in.skip("^")) {
                denied = !denied;
            }
            name = in.until("}", "malformed \\P or \\p sequence");
        } else {
            name = Character.toString(in.next());
        }
        IntPredicate found = Properties.find(name);
        if (found == null) {
            throw new InvalidRegex("unknown property after \\P or \\p");
        }
        return denied ? found.negate() : found;
    }
}
