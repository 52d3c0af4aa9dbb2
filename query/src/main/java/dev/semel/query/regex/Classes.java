package dev.semel.query.regex;

import static java.util.Map.entry;

import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What {@code \d}, {@code \h}, {@code [:alpha:]} and the like stand for: characters of ASCII, or those that Unicode says
 * after {@code (*UCP)}.
 */
final class Classes {
    private static final Map<String, IntPredicate> ASCII = Map.ofEntries(
            entry("alpha", c -> isAsciiLetter(c)),
            entry("digit", c -> isAsciiDigit(c)),
            entry("alnum", c -> isAsciiLetter(c) || isAsciiDigit(c)),
            entry("upper", c -> c >= 'A' && c <= 'Z'),
            entry("lower", c -> c >= 'a' && c <= 'z'),
            entry("punct", c -> c > ' ' && c < 127 && !isAsciiLetter(c) && !isAsciiDigit(c)),
            entry("graph", c -> c > ' ' && c < 127),
            entry("print", c -> c >= ' ' && c < 127),
            entry("blank", c -> c == ' ' || c == '\t'),
            entry("cntrl", c -> c < ' ' || c == 127),
            entry("xdigit", c -> c < 128 && Character.digit(c, 16) >= 0),
            entry("space", c -> isSpace(c)),
            entry("word", c -> isWord(c)),
            entry("ascii", c -> c < 128));

    private static final Map<String, IntPredicate> UNICODE = Map.ofEntries(
            entry("alpha", Character::isLetter),
            entry("digit", Character::isDigit),
            entry("alnum", c -> isUnicodeLetterOrNumber(c)),
            entry("upper", c -> Character.getType(c) == Character.UPPERCASE_LETTER),
            entry("lower", c -> Character.getType(c) == Character.LOWERCASE_LETTER),
            entry("blank", c -> isHorizontalSpace(c)),
            entry("cntrl", c -> Character.getType(c) == Character.CONTROL),
            entry("space", c -> isUnicodeSpace(c)),
            entry("word", c -> isUnicodeWord(c)));

    private Classes() {}

    /** A POSIX class; null if there is none of this name. */
    static @Nullable IntPredicate posix(String name, boolean unicode) {
        IntPredicate wide = unicode ? UNICODE.get(name) : null;
        return wide != null ? wide : ASCII.get(name);
    }

    /** The class that a letter after a backslash stands for; null if it stands for none. */
    static @Nullable IntPredicate escape(char letter, boolean unicode) {
        return switch (letter) {
            case 'd' -> unicode ? Character::isDigit : Classes::isAsciiDigit;
            case 'D' -> not(unicode ? Character::isDigit : Classes::isAsciiDigit);
            case 's' -> unicode ? Classes::isUnicodeSpace : Classes::isSpace;
            case 'S' -> not(unicode ? Classes::isUnicodeSpace : Classes::isSpace);
            case 'w' -> unicode ? Classes::isUnicodeWord : Classes::isWord;
            case 'W' -> not(unicode ? Classes::isUnicodeWord : Classes::isWord);
            case 'h' -> Classes::isHorizontalSpace;
            case 'H' -> not(Classes::isHorizontalSpace);
            case 'v' -> Classes::isVerticalSpace;
            case 'V' -> not(Classes::isVerticalSpace);
            default -> null;
        };
    }

    private static IntPredicate not(IntPredicate test) {
        return test.negate();
    }

    private static boolean isAsciiLetter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isAsciiDigit(int c) {
        return c >= '0' && c <= '9';
    }

    static boolean isWord(int c) {
        return isAsciiLetter(c) || isAsciiDigit(c) || c == '_';
    }

    static boolean isUnicodeWord(int c) {
        return c == '_' || isUnicodeLetterOrNumber(c);
    }

    static boolean isUnicodeLetterOrNumber(int c) {
        return Character.isLetter(c) || isNumber(Character.getType(c));
    }

    private static boolean isNumber(int type) {
        return type == Character.DECIMAL_DIGIT_NUMBER
                || type == Character.LETTER_NUMBER
                || type == Character.OTHER_NUMBER;
    }

    private static boolean isSpace(int c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    static boolean isUnicodeSpace(int c) {
        return isHorizontalSpace(c) || isVerticalSpace(c);
    }

    private static boolean isHorizontalSpace(int c) {
        return c == '\t' || c == 0x180e || Character.getType(c) == Character.SPACE_SEPARATOR;
    }

    static boolean isVerticalSpace(int c) {
        return (c >= '\n' && c <= '\r') || c == 0x85 || c == 0x2028 || c == 0x2029;
    }
}
