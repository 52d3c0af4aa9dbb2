package dev.semel.wire.bson;

import java.io.IOException;
import java.io.Reader;

/**
 * The tokens of a JSON text, strictly as RFC 8259 has them, and where each of them stands. Memory is bounded: one buffer,
 * and the string or number being read, which may not exceed a given length.
 */
final class JsonTokens {
    /** What {@link #peek} answers after the last token. */
    static final int END = -1;

    private static final int BUFFER_CHARS = 8192;
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private final Reader in;
    private final int tokenCharsMax;
    private final char[] buffer;
    private int at;
    private int limit;

    /** Characters that were in the buffer before those which now are. */
    private long dropped;

    private long line = 1;
    private long lineStart;

    /** Whether nothing but white space has been seen of the current line. */
    private boolean lineIsFresh = true;

    JsonTokens(String text, int tokenCharsMax) {
        this.in = Reader.nullReader();
        this.tokenCharsMax = tokenCharsMax;
        this.buffer = text.toCharArray();
        this.limit = buffer.length;
    }

    JsonTokens(Reader in, int tokenCharsMax) {
        this.in = in;
        this.tokenCharsMax = tokenCharsMax;
        this.buffer = new char[BUFFER_CHARS];
    }

    /** The first character of the next token, which stays unread, or {@link #END}. */
    int peek() throws IOException {
        while (at < limit || fill()) {
            char c = buffer[at];
            switch (c) {
                case ' ', '\t', '\r' -> at++;
                case '\n' -> newLine();
                default -> {
                    if (c != BYTE_ORDER_MARK || offset() > 0) {
                        return c;
                    }
                    at++;
                    lineStart++;
                }
            }
        }
        return END;
    }

    /** Takes this punctuation mark, or complains. */
    void take(char mark) throws IOException {
        if (!takeIf(mark)) {
            throw unexpected("'" + mark + "'");
        }
    }

    /** Takes this punctuation mark if it is what comes next. */
    boolean takeIf(char mark) throws IOException {
        if (peek() != mark) {
            return false;
        }
        at++;
        lineIsFresh = false;
        return true;
    }

    /** Takes one of {@code true}, {@code false}, {@code null}. */
    void takeWord(String word) throws IOException {
        for (int i = 0; i < word.length(); i++) {
            if (current() != word.charAt(i)) {
                throw unexpected(word);
            }
            at++;
        }
        lineIsFresh = false;
    }

    String string() throws IOException {
        take('"');
        for (int i = at; i < limit; i++) {
            char c = buffer[i];
            if (c == '"') {
                String string = new String(buffer, at, i - at);
                at = i + 1;
                return string;
            }
            if (c == '\\' || c < 0x20 || Character.isSurrogate(c)) {
                break;
            }
        }
        return longString();
    }

    /** A string with escapes in it, or one that does not lie in the buffer whole; its quote is already taken. */
    private String longString() throws IOException {
        StringBuilder string = new StringBuilder();
        while (true) {
            int c = current();
            if (c == '"') {
                at++;
                break;
            }
            if (c < 0x20) {
                throw unexpected("the end of the string");
            }
            if (string.length() >= tokenCharsMax) {
                throw error("a string of more than " + tokenCharsMax + " characters");
            }
            at++;
            string.append(c == '\\' ? escaped() : (char) c);
        }
        for (int i = 0; i < string.length(); i++) {
            if (Character.isHighSurrogate(string.charAt(i))
                    && i + 1 < string.length()
                    && Character.isLowSurrogate(string.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(string.charAt(i))) {
                throw error("half of a surrogate pair in the string");
            }
        }
        return string.toString();
    }

    private char escaped() throws IOException {
        int c = current();
        char result = switch (c) {
            case '"', '\\', '/' -> (char) c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> 0;
            default -> throw unexpected("an escape: one of \" \\ / b f n r t u");
        };
        at++;
        return c == 'u' ? hexadecimal() : result;
    }

    private char hexadecimal() throws IOException {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            int c = current();
            int digit = c < 0x80 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                throw unexpected("a hexadecimal digit");
            }
            code = code << 4 | digit;
            at++;
        }
        return (char) code;
    }

    /** Whole numbers become the narrowest integer that holds them, everything else a double. */
    Value number() throws IOException {
        StringBuilder digits = new StringBuilder();
        if (current() == '-') {
            append(digits);
        }
        if (current() == '0') {
            append(digits);
        } else {
            appendDigits(digits);
        }
        boolean whole = true;
        if (current() == '.') {
            whole = false;
            append(digits);
            appendDigits(digits);
        }
        if (current() == 'e' || current() == 'E') {
            whole = false;
            append(digits);
            if (current() == '+' || current() == '-') {
                append(digits);
            }
            appendDigits(digits);
        }
        lineIsFresh = false;
        return value(digits.toString(), whole);
    }

    private Value value(String digits, boolean whole) {
        if (whole && digits.length() <= 20) {
            try {
                long number = Long.parseLong(digits);
                return number == (int) number ? Value.of((int) number) : Value.of(number);
            } catch (NumberFormatException e) {
                // Beyond 64 bits; the nearest double is what the specification asks for.
                return Value.of(Double.parseDouble(digits));
            }
        }
        double number = Double.parseDouble(digits);
        if (Double.isInfinite(number)) {
            throw error("a number beyond the range of doubles");
        }
        return Value.of(number);
    }

    private void appendDigits(StringBuilder digits) throws IOException {
        if (!isDigit(current())) {
            throw unexpected("a digit");
        }
        while (isDigit(current())) {
            append(digits);
        }
    }

    private void append(StringBuilder digits) {
        if (digits.length() >= tokenCharsMax) {
            throw error("a number of more than " + tokenCharsMax + " digits");
        }
        digits.append(buffer[at++]);
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    /** Whether the next token is the first on its line; {@link #peek} comes first. */
    boolean startsLine() {
        return lineIsFresh;
    }

    /** Leaves out the rest of the line. */
    void skipLine() throws IOException {
        while (at < limit || fill()) {
            if (buffer[at] == '\n') {
                newLine();
                return;
            }
            at++;
        }
    }

    long line() {
        return line;
    }

    long column() {
        return offset() - lineStart + 1;
    }

    /** Complains at what comes next. */
    JsonException unexpected(String wanted) throws IOException {
        int c = current();
        String found = c == END ? "the end" : c < 0x20 ? "character %d".formatted(c) : "'" + (char) c + "'";
        return error("expected " + wanted + ", found " + found);
    }

    JsonException error(String message) {
        return new JsonException(message, line, column());
    }

    private int current() throws IOException {
        return at < limit || fill() ? buffer[at] : END;
    }

    private void newLine() {
        at++;
        line++;
        lineStart = offset();
        lineIsFresh = true;
    }

    private long offset() {
        return dropped + at;
    }

    private boolean fill() throws IOException {
        dropped += limit;
        at = 0;
        limit = 0;
        if (buffer.length == 0) {
            return false;
        }
        int read = in.read(buffer, 0, buffer.length);
        limit = Math.max(0, read);
        return read > 0;
    }
}
