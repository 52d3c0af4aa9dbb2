package dev.semel.query.filter;

import dev.semel.query.value.ElementTest;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.LittleEndian;
import dev.semel.wire.bson.Value;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression as MongoDB's language has it, run by the JDK's engine. It matches strings, symbols, and stored
 * expressions that are the same.
 *
 * <p>An expression can take exponential time; after {@link #STEPS_MAX} looks at the input the match is given up with an
 * error, so that one filter cannot keep a connection's thread for ever.
 */
public final class RegexPattern implements ElementTest {
    private static final long STEPS_MAX = 20_000_000;
    private static final int LENGTH_MAX = 32_764;

    private final String pattern;
    private final String options;
    private final Pattern compiled;

    private RegexPattern(String pattern, String options, Pattern compiled) {
        this.pattern = pattern;
        this.options = options;
        this.compiled = compiled;
    }

    public static RegexPattern of(String pattern, String options) {
        int flags = flags(options);
        if (pattern.indexOf('\0') >= 0) {
            throw new CommandException(ErrorCode.BadValue, "Regular expression cannot contain an embedded null byte");
        }
        if (pattern.length() > LENGTH_MAX) {
            throw new CommandException(
                    ErrorCode.location(51091),
                    "Regular expression is invalid: pattern string is longer than the limit");
        }
        try {
            var syntax = new PcreSyntax(pattern, (flags & Pattern.COMMENTS) != 0);
            return new RegexPattern(pattern, options, Pattern.compile(syntax.translated(), flags | syntax.flags()));
        } catch (PatternSyntaxException e) {
            throw new CommandException(
                    ErrorCode.location(51091), "Regular expression is invalid: %s", e.getDescription());
        } catch (StackOverflowError e) {
            throw new CommandException(
                    ErrorCode.location(51091), "Regular expression is invalid: parentheses are too deeply nested");
        }
    }

    private static int flags(String options) {
        // PCRE knows one end of line, and compares letters of any script without case.
        int flags = Pattern.UNIX_LINES;
        for (int i = 0; i < options.length(); i++) {
            char option = options.charAt(i);
            flags |= switch (option) {
                case 'i' -> Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;
                case 'm' -> Pattern.MULTILINE;
                case 's' -> Pattern.DOTALL;
                case 'x' -> Pattern.COMMENTS;
                case 'u' -> 0;
                default ->
                    throw new CommandException(ErrorCode.location(51108), "invalid flag in regex options: %s", option);
            };
        }
        return flags;
    }

    public String pattern() {
        return pattern;
    }

    public String options() {
        return options;
    }

    /**
     * What every match begins with, for an index range to start from: the letters of {@code ^abc}. Empty if the expression
     * is not anchored, ignores case, or does not begin with plain letters.
     */
    public String prefix() {
        if (!pattern.startsWith("^") || !options.isEmpty() || pattern.indexOf('|') >= 0) {
            return "";
        }
        var prefix = new StringBuilder();
        for (int i = 1; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            boolean optionalNext = i + 1 < pattern.length() && "*?{".indexOf(pattern.charAt(i + 1)) >= 0;
            if ("\\^$.[|()?*+{".indexOf(c) >= 0 || optionalNext || Character.isSurrogate(c)) {
                break;
            }
            prefix.append(c);
        }
        return prefix.toString();
    }

    @Override
    public boolean test(byte type, byte[] bytes, int at) {
        if (type == BsonType.STRING.code() || type == BsonType.SYMBOL.code()) {
            int length = LittleEndian.int32(bytes, at) - 1;
            return matches(new String(bytes, at + 4, length, StandardCharsets.UTF_8));
        }
        return type == BsonType.REGEX.code()
                && ElementCursor.decode(bytes, type, at) instanceof Value.Regex(String other, String otherOptions)
                && other.equals(pattern)
                && otherOptions.equals(options);
    }

    /** Whether some part of the text matches. */
    public boolean matches(String text) {
        try {
            return compiled.matcher(new Watched(text)).find();
        } catch (StackOverflowError e) {
            throw tooHard();
        }
    }

    private CommandException tooHard() {
        return new CommandException(
                ErrorCode.location(51156),
                "Error occurred while executing regular expression /%s/: match limit exceeded",
                pattern);
    }

    /** The text, counting how often the engine looks at it. */
    private final class Watched implements CharSequence {
        private final String text;
        private long steps;

        Watched(String text) {
            this.text = text;
        }

        @Override
        public char charAt(int index) {
            if (++steps > STEPS_MAX) {
                throw tooHard();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RegexPattern that && pattern.equals(that.pattern) && options.equals(that.options);
    }

    @Override
    public int hashCode() {
        return 31 * pattern.hashCode() + options.hashCode();
    }

    @Override
    public String toString() {
        return "/" + pattern + "/" + options;
    }
}
