package dev.semel.query.text;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * The operand of {@code $text}. What it asks for depends on the index that answers it.
 *
 * @param language null for that of the index
 */
public record TextSearch(
        String search, @Nullable String language, boolean isCaseSensitive, boolean isDiacriticSensitive) {
    /** A longer text to search for is refused: each of its words costs a scan. */
    public static final int BYTES_MAX = 256 << 10;

    public static TextSearch parse(Value operand) {
        if (!(operand instanceof Value.Doc(RawDocument options))) {
            throw new CommandException(ErrorCode.BadValue, "$text expects an object");
        }
        String search = string("$search", options);
        if (search == null) {
            throw new CommandException(ErrorCode.NoSuchKey, "Missing expected field \"$search\"");
        }
        String language = string("$language", options);
        boolean isCaseSensitive = bool("$caseSensitive", options);
        boolean isDiacriticSensitive = bool("$diacriticSensitive", options);
        for (Element each : options) {
            if (!isOption(each.name())) {
                throw new CommandException(ErrorCode.BadValue, "extra fields in $text");
            }
        }
        return new TextSearch(
                search,
                language == null || language.isEmpty() ? null : language,
                isCaseSensitive,
                isDiacriticSensitive);
    }

    private static boolean isOption(String name) {
        return switch (name) {
            case "$search", "$language", "$caseSensitive", "$diacriticSensitive" -> true;
            default -> false;
        };
    }

    private static @Nullable String string(String name, RawDocument options) {
        Value value = options.get(name);
        if (value == null) {
            return null;
        }
        if (!(value instanceof Value.Str(Text text))) {
            throw wrongType(name, "string", value);
        }
        if (text.length() > BYTES_MAX) {
            throw new CommandException(
                    ErrorCode.BadValue, "%s has %d bytes, at most %d are allowed", name, text.length(), BYTES_MAX);
        }
        return text.toString();
    }

    private static boolean bool(String name, RawDocument options) {
        Value value = options.get(name);
        if (value == null) {
            return false;
        }
        if (!(value instanceof Value.Bool(boolean bool))) {
            throw wrongType(name, "bool", value);
        }
        return bool;
    }

    private static CommandException wrongType(String name, String expected, Value found) {
        return new CommandException(
                ErrorCode.TypeMismatch,
                "\"%s\" had the wrong type. Expected %s, found %s",
                name,
                expected,
                found.type());
    }
}
