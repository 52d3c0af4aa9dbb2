package dev.semel.wire.bson;

import dev.semel.wire.Limits;
import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/**
 * The documents of a file, one after the other, in the memory of one: an array of documents, or documents that follow
 * each other with or without line ends (JSON lines), or an array in a field of one large object.
 *
 * <pre>{@code
 * var documents = JsonDocuments.of(reader);
 * for (RawDocument each = documents.next(); each != null; each = documents.next()) { ... }
 * }</pre>
 */
public final class JsonDocuments {
    private enum State {
        BEFORE,
        IN_SEQUENCE,
        BEFORE_ELEMENT,
        AFTER_ELEMENT,
        END
    }

    private final JsonTokens tokens;
    private final JsonParser parser;
    private final @Nullable String field;
    private State state = State.BEFORE;
    private long line = 1;

    private JsonDocuments(Reader in, @Nullable String field) {
        this.tokens = new JsonTokens(in, Limits.DOCUMENT_BYTES_MAX);
        this.parser = new JsonParser(tokens, Limits.DOCUMENT_BYTES_MAX);
        this.field = field;
    }

    /** The elements of the array that the text is, or the documents that follow each other in it. */
    public static JsonDocuments of(Reader in) {
        return new JsonDocuments(in, null);
    }

    /** The elements of the array in this field of the object that the text is; other fields are passed over. */
    public static JsonDocuments ofField(Reader in, String field) {
        return new JsonDocuments(in, field);
    }

    /**
     * The next document, or null after the last.
     *
     * @throws JsonException where the text is malformed; only {@link #resume} can go on from there
     */
    public @Nullable RawDocument next() throws IOException {
        if (state == State.BEFORE) {
            open();
        }
        if (state == State.AFTER_ELEMENT) {
            state = parser.nextElement() ? State.BEFORE_ELEMENT : State.END;
            if (state == State.END) {
                close();
            }
        }
        if (state == State.IN_SEQUENCE && tokens.peek() == JsonTokens.END) {
            state = State.END;
        }
        return state == State.END ? null : document();
    }

    /** The line, counted from 1, on which the document last asked for begins, even if it turned out malformed. */
    public long line() {
        return line;
    }

    /**
     * After a {@link JsonException}: continues with the next line, provided that documents follow each other. A broken
     * array cannot be continued, because it is unknown where its next element begins.
     *
     * @return whether {@link #next} may be called again
     */
    public boolean resume() throws IOException {
        if (state != State.IN_SEQUENCE) {
            state = State.END;
            return false;
        }
        // A line cut short is noticed at the next line's first brace, which belongs to a document that may be whole.
        boolean atNextDocument = tokens.line() > line && tokens.startsLine() && tokens.peek() == '{';
        if (!atNextDocument) {
            tokens.skipLine();
        }
        return true;
    }

    private void open() throws IOException {
        if (field != null) {
            openField(field);
            return;
        }
        // A text that begins with an array is one; state must be right before anything can fail.
        state = State.IN_SEQUENCE;
        if (tokens.peek() == '[') {
            openArray();
        }
    }

    private void openField(String name) throws IOException {
        tokens.take('{');
        for (String key = parser.firstKey(); key != null; key = parser.nextKey()) {
            tokens.take(':');
            if (key.equals(name)) {
                openArray();
                return;
            }
            parser.skip(1);
        }
        throw tokens.error("there is no field '" + name + "' in the object");
    }

    private void openArray() throws IOException {
        state = State.BEFORE_ELEMENT;
        tokens.take('[');
        if (tokens.takeIf(']')) {
            state = State.END;
            close();
        }
    }

    /** What follows the array must be well-formed; otherwise the file was truncated or edited by hand. */
    private void close() throws IOException {
        if (field != null) {
            for (String key = parser.nextKey(); key != null; key = parser.nextKey()) {
                tokens.take(':');
                parser.skip(1);
            }
        }
        if (tokens.peek() != JsonTokens.END) {
            throw tokens.unexpected("the end");
        }
    }

    private RawDocument document() throws IOException {
        int first = tokens.peek();
        line = tokens.line();
        if (first != '{') {
            throw tokens.unexpected("a document");
        }
        RawDocument document = parser.document();
        if (state == State.BEFORE_ELEMENT) {
            state = State.AFTER_ELEMENT;
        }
        return document;
    }
}
