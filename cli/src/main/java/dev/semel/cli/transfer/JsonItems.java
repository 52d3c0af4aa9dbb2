package dev.semel.cli.transfer;

import dev.semel.wire.bson.JsonDocuments;
import dev.semel.wire.bson.JsonException;
import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/** The documents of a JSON file: an array, documents one after the other, or an array in a field of one large object. */
public final class JsonItems implements Items {
    private final Reader in;
    private final JsonDocuments documents;

    /** @param root the field whose array holds the documents; null if the file itself does */
    public JsonItems(Reader in, @Nullable String root) {
        this.in = in;
        this.documents = root == null ? JsonDocuments.of(in) : JsonDocuments.ofField(in, root);
    }

    @Override
    public @Nullable Item next() throws IOException, BadItem {
        try {
            var document = documents.next();
            return document == null ? null : new Item(documents.line(), document);
        } catch (JsonException e) {
            // The exception's message begins with the line number, which is printed already.
            var message = String.valueOf(e.getMessage());
            throw new BadItem(e.line(), message.substring(message.indexOf("column")), !documents.resume());
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
