package dev.semel.query.regex;

/** The text of an expression and how far it has been read. */
final class Scanner {
    private static final int HEX = 16;
    private static final int OCTAL = 8;

    private final String text;
    private int at;

    Scanner(String text) {
        this.text = text;
    }

    boolean atEnd() {
        return at >= text.length();
    }

    /** The next character, which stays; 0 at the end. */
    char peek() {
        return peek(0);
    }

    char peek(int ahead) {
        return at + ahead < text.length() ? text.charAt(at + ahead) : 0;
    }

    int position() {
        return at;
    }

    void position(int position) {
        at = position;
    }

    boolean startsWith(String prefix) {
        return text.startsWith(prefix, at);
    }

    boolean skip(String prefix) {
        boolean here = startsWith(prefix);
        if (here) {
            at += prefix.length();
        }
        return here;
    }

    /** One character, which may be two of Java's. */
    int next() {
        int c = text.codePointAt(at);
        at += Character.charCount(c);
        return c;
    }

    /** Up to the terminator, which is read too. */
    String until(String terminator, String orElse) {
        int end = text.indexOf(terminator, at);
        if (end < 0) {
            throw new InvalidRegex(orElse);
        }
        String between = text.substring(at, end);
        at = end + terminator.length();
        return between;
    }

    /** The same, without a terminator up to the end. */
    void skipPast(String terminator) {
        int end = text.indexOf(terminator, at);
        at = end < 0 ? text.length() : end + terminator.length();
    }

    static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** A number without a sign, or -1 if there is none here. */
    int number(int max, String tooLarge) {
        if (!isDigit(peek())) {
            return -1;
        }
        int number = 0;
        while (isDigit(peek())) {
            number = number * 10 + (text.charAt(at++) - '0');
            if (number > max) {
                throw new InvalidRegex(tooLarge);
            }
        }
        return number;
    }

    /** At most that many digits of this radix; 0 if there are none. */
    int digits(int radix, int countMax) {
        int value = 0;
        for (int i = 0; i < countMax && Character.digit(peek(), radix) >= 0 && peek() < 128; i++) {
            value = value * radix + Character.digit(text.charAt(at++), radix);
        }
        return value;
    }

    /** The digits of {@code \x{...}} or {@code \o{...}}, behind the brace. */
    int braced(boolean hex) {
        String digits = until("}", hex ? "missing terminating } after \\x{" : "missing terminating } after \\o{");
        int value = 0;
        for (int i = 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            int digit = c < 128 ? Character.digit(c, hex ? HEX : OCTAL) : -1;
            if (digit < 0) {
                throw new InvalidRegex(
                        hex
                                ? "non-hex character in \\x{} (closing brace missing?)"
                                : "non-octal character in \\o{} (closing brace missing?)");
            }
            value = value * (hex ? HEX : OCTAL) + digit;
            if (value > Character.MAX_CODE_POINT) {
                throw new InvalidRegex("character code point value in \\x{} or \\o{} is too large");
            }
        }
        if (digits.isEmpty()) {
            throw new InvalidRegex("digits missing in \\x{} or \\o{} or \\N{U+}");
        }
        return value;
    }
}
