package dev.semel.query.filter;

import dev.semel.query.regex.InvalidRegex;
import dev.semel.query.regex.Regex;
import dev.semel.query.regex.RegexTooHard;
import dev.semel.query.value.ElementTest;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.LittleEndian;
import dev.semel.wire.bson.Value;
import java.nio.charset.StandardCharsets;

/**
 * A regular expression of a filter. It matches strings, symbols, and stored expressions that are the same.
 *
 * <p>An expression can take exponential time; a match that takes too long is given up with an error.
 */
public final class RegexPattern implements ElementTest {
    private static final ErrorCode INVALID = ErrorCode.location(51091);
    private static final ErrorCode TOO_HARD = ErrorCode.location(51156);
    private static final String OPTIONS = "imsxu";

    private final String pattern;
    private final String options;
    private final Regex regex;
    private final Runnable checkpoint;

    private RegexPattern(String pattern, String options, Regex regex, Runnable checkpoint) {
        this.pattern = pattern;
        this.options = options;
        this.regex = regex;
        this.checkpoint = checkpoint;
    }

    /**
     * The expression of a filter.
     *
     * @param checkpoint called again and again while a match takes long; throws to end it
     */
    public static RegexPattern of(String pattern, String options, Runnable checkpoint) {
        options.chars().filter(each -> OPTIONS.indexOf(each) < 0).findFirst().ifPresent(each -> {
            throw new CommandException(ErrorCode.location(51108), "invalid flag in regex options: %s", (char) each);
        });
        if (pattern.indexOf('\0') >= 0) {
            throw new CommandException(ErrorCode.BadValue, "Regular expression cannot contain an embedded null byte");
        }
        try {
            return new RegexPattern(pattern, options, Regex.compile(pattern, options), checkpoint);
        } catch (InvalidRegex e) {
            throw new CommandException(INVALID, "Regular expression is invalid: %s", e.reason());
        }
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
            return regex.search(text, checkpoint).find();
        } catch (RegexTooHard e) {
            throw new CommandException(
                    TOO_HARD, "Error occurred while executing regular expression /%s/: %s", pattern, e.reason());
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
