package dev.semel.wire.bson;

import dev.semel.wire.CommandException;
import dev.semel.wire.Limits;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads documents and values off tokens, straight into BSON. */
final class JsonParser {
    /** Objects that spell one value nest too: {@code {"$dbPointer": {"$ref": "", "$id": {"$oid": ""}}}}. */
    private static final int DEPTH_MAX = Limits.MESSAGE_DEPTH_MAX + 3;

    private final JsonTokens tokens;
    private final int bytesMax;
    private boolean deep;

    JsonParser(JsonTokens tokens) {
        this(tokens, Limits.MESSAGE_BYTES_MAX);
    }

    JsonParser(JsonTokens tokens, int bytesMax) {
        this.tokens = tokens;
        this.bytesMax = bytesMax;
    }

    /** The object that comes next, as a document whatever its keys. */
    RawDocument document() throws IOException {
        deep = false;
        BsonWriter out = new BsonWriter();
        tokens.take('{');
        members(out, firstKey(), 1);
        RawDocument document = out.finish();
        return deep ? checkedDepth(document) : document;
    }

    /** The value that comes next. */
    Value value() throws IOException {
        deep = false;
        BsonWriter out = new BsonWriter();
        value(out, null, 0);
        var at = out.finish().cursor();
        at.next();
        Value value = at.value();
        if (deep) {
            switch (value) {
                case Value.Doc(RawDocument document) -> checkedDepth(document);
                case Value.Array(RawDocument elements) -> checkedDepth(elements);
                default -> {}
            }
        }
        return value;
    }

    private RawDocument checkedDepth(RawDocument document) {
        try {
            return BsonValidation.check(document.array(), document.offset(), document.offset() + document.length());
        } catch (CommandException e) {
            throw tokens.error(e.text());
        }
    }

    /** Leaves out the value that comes next, whatever its size. */
    void skip(int depth) throws IOException {
        checkDepth(depth);
        switch (tokens.peek()) {
            case '{' -> {
                tokens.take('{');
                for (String key = firstKey(); key != null; key = nextKey()) {
                    tokens.take(':');
                    skip(depth + 1);
                }
            }
            case '[' -> {
                tokens.take('[');
                for (boolean more = !tokens.takeIf(']'); more; more = nextElement()) {
                    skip(depth + 1);
                }
            }
            default -> value(new BsonWriter(), null, depth);
        }
    }

    /** The key after an opening brace, or null if the object ends there. */
    @Nullable
    String firstKey() throws IOException {
        return tokens.takeIf('}') ? null : key();
    }

    /** The key after a member, or null if the object ends there. */
    @Nullable
    String nextKey() throws IOException {
        if (tokens.takeIf(',')) {
            return key();
        }
        if (tokens.takeIf('}')) {
            return null;
        }
        throw tokens.unexpected("',' or '}'");
    }

    /** Whether another element follows in an array. */
    boolean nextElement() throws IOException {
        if (tokens.takeIf(',')) {
            return true;
        }
        if (tokens.takeIf(']')) {
            return false;
        }
        throw tokens.unexpected("',' or ']'");
    }

    private String key() throws IOException {
        if (tokens.peek() != '"') {
            throw tokens.unexpected("a key in double quotes");
        }
        String key = tokens.string();
        if (key.indexOf('\0') >= 0) {
            throw tokens.error("a key with a null character in it");
        }
        return key;
    }

    private void members(BsonWriter out, @Nullable String firstKey, int depth) throws IOException {
        for (String key = firstKey; key != null; key = nextKey()) {
            tokens.take(':');
            value(out, key, depth);
            checkSize(out);
        }
    }

    /** Writes the value that comes next, under the key or, without one, as the next of an array. */
    private void value(BsonWriter out, @Nullable String key, int depth) throws IOException {
        int first = tokens.peek();
        switch (first) {
            case '{' -> object(out, key, depth + 1);
            case '[' -> array(out, key, depth + 1);
            case '"' -> put(out, key, Value.of(tokens.string()));
            case 't' -> word(out, key, "true", Value.TRUE);
            case 'f' -> word(out, key, "false", Value.FALSE);
            case 'n' -> word(out, key, "null", Value.NULL);
            default -> {
                if (first != '-' && (first < '0' || first > '9')) {
                    throw tokens.unexpected("a value");
                }
                put(out, key, tokens.number());
            }
        }
    }

    private void object(BsonWriter out, @Nullable String key, int depth) throws IOException {
        checkDepth(depth);
        long line = tokens.line();
        long column = tokens.column();
        tokens.take('{');
        String first = firstKey();
        if (first != null && ExtendedJson.mayBegin(first)) {
            try {
                put(out, key, spelled(first, depth));
            } catch (IllegalArgumentException e) {
                throw new JsonException(String.valueOf(e.getMessage()), line, column);
            }
            return;
        }
        if (key == null) {
            out.startDocument();
        } else {
            out.startDocument(key);
        }
        members(out, first, depth);
        out.end();
    }

    /** The rest of an object that may spell a value; most hold one string and need no document in between. */
    private Value spelled(String firstKey, int depth) throws IOException {
        BsonWriter own = new BsonWriter(64);
        tokens.take(':');
        if (tokens.peek() == '"') {
            String operand = tokens.string();
            if (tokens.takeIf('}')) {
                Value value = ExtendedJson.read(firstKey, operand);
                return value == null
                        ? ExtendedJson.read(own.put(firstKey, operand).finish())
                        : value;
            }
            own.put(firstKey, operand);
        } else {
            value(own, firstKey, depth);
        }
        members(own, nextKey(), depth);
        return ExtendedJson.read(own.finish());
    }

    private void array(BsonWriter out, @Nullable String key, int depth) throws IOException {
        checkDepth(depth);
        tokens.take('[');
        if (key == null) {
            out.startArray();
        } else {
            out.startArray(key);
        }
        for (boolean more = !tokens.takeIf(']'); more; more = nextElement()) {
            value(out, null, depth);
            checkSize(out);
        }
        out.end();
    }

    private void word(BsonWriter out, @Nullable String key, String word, Value value) throws IOException {
        tokens.takeWord(word);
        put(out, key, value);
    }

    private static void put(BsonWriter out, @Nullable String key, Value value) {
        if (key == null) {
            out.add(value);
        } else {
            out.put(key, value);
        }
    }

    private void checkDepth(int depth) {
        deep |= depth > Limits.MESSAGE_DEPTH_MAX;
        if (depth > DEPTH_MAX) {
            throw tokens.error("nested deeper than " + Limits.MESSAGE_DEPTH_MAX + " levels");
        }
    }

    private void checkSize(BsonWriter out) {
        if (out.length() > bytesMax) {
            throw tokens.error("a document of more than " + bytesMax + " bytes");
        }
    }
}
