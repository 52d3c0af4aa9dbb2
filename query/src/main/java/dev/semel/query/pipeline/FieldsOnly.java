package dev.semel.query.pipeline;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** Some top-level fields of documents, in the order in which these have them: what is to be held of a document that nobody needs whole. */
public final class FieldsOnly {
    private static final int FIELD_BYTES = 24;

    private final byte[][] names;

    public FieldsOnly(Set<String> names) {
        this.names = names.stream()
                .map(each -> each.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
    }

    public RawDocument of(RawDocument document) {
        BsonWriter kept = new BsonWriter(FIELD_BYTES * (names.length + 1));
        for (ElementCursor at = document.cursor(); at.next(); ) {
            if (isKept(at)) {
                kept.copy(at);
            }
        }
        return kept.finish();
    }

    private boolean isKept(ElementCursor at) {
        for (byte[] name : names) {
            if (at.nameIs(name)) {
                return true;
            }
        }
        return false;
    }
}
