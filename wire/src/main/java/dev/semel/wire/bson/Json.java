package dev.semel.wire.bson;

import dev.semel.wire.Limits;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;

/**
 * Extended JSON, both ways. Reading accepts the canonical, the relaxed and the older forms; it is strict JSON otherwise,
 * and answers anything else with a {@link JsonException}. For files of many documents there is {@link JsonDocuments}.
 */
public final class Json {
    private Json() {}

    /** Relaxed Extended JSON on one line. */
    public static String relaxed(RawDocument document) {
        return append(new StringBuilder(), document, JsonStyle.RELAXED).toString();
    }

    public static String relaxed(Value value) {
        return append(new StringBuilder(), value, JsonStyle.RELAXED).toString();
    }

    /** Canonical Extended JSON on one line. */
    public static String canonical(RawDocument document) {
        return append(new StringBuilder(), document, JsonStyle.CANONICAL).toString();
    }

    public static String canonical(Value value) {
        return append(new StringBuilder(), value, JsonStyle.CANONICAL).toString();
    }

    public static StringBuilder append(StringBuilder out, RawDocument document, JsonStyle style) {
        new JsonWriter(out, style).write(document);
        return out;
    }

    public static StringBuilder append(StringBuilder out, Value value, JsonStyle style) {
        new JsonWriter(out, style).write(value);
        return out;
    }

    /** Writes one document on one line, without a line end. */
    public static void write(Appendable out, RawDocument document, JsonStyle style) throws IOException {
        out.append(append(new StringBuilder(2 * document.length()), document, style));
    }

    /** The one document that the text holds. Keys of the outermost object are never taken for a type. */
    public static RawDocument parse(String text) {
        return parse(new JsonTokens(text, Limits.MESSAGE_BYTES_MAX), JsonParser::document);
    }

    /** The one document that the rest of the stream holds. */
    public static RawDocument parse(Reader in) throws IOException {
        return whole(new JsonTokens(in, Limits.MESSAGE_BYTES_MAX), JsonParser::document);
    }

    /** The one value that the text holds: a document, an array, {@code {"$oid": "..."}}, a number. */
    public static Value parseValue(String text) {
        return parse(new JsonTokens(text, Limits.MESSAGE_BYTES_MAX), JsonParser::value);
    }

    @FunctionalInterface
    private interface Production<T> {
        T read(JsonParser parser) throws IOException;
    }

    private static <T> T parse(JsonTokens tokens, Production<T> production) {
        try {
            return whole(tokens, production);
        } catch (IOException e) {
            throw new UncheckedIOException("text in memory does not fail to be read", e);
        }
    }

    private static <T> T whole(JsonTokens tokens, Production<T> production) throws IOException {
        T result = production.read(new JsonParser(tokens));
        if (tokens.peek() != JsonTokens.END) {
            throw tokens.unexpected("the end");
        }
        return result;
    }
}
