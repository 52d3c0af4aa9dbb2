package dev.semel.query.pipeline;

import dev.semel.query.value.NameIndex;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import java.util.Set;

/** Some top-level fields of documents, in the order in which these have them: what is to be held of a document that nobody needs whole. */
public final class FieldsOnly {
    /** Of a document without fields. */
    private static final int EMPTY_BYTES = 5;

    private final NameIndex names;

    public FieldsOnly(Set<String> names) {
        this.names = NameIndex.of(names);
    }

    /** In an array of exactly its length, because it is held. */
    public RawDocument of(RawDocument document) {
        int bytes = EMPTY_BYTES;
        for (ElementCursor at = document.cursor(); at.next(); ) {
            bytes += isKept(at) ? at.valueEnd() - at.elementStart() : 0;
        }
        BsonWriter kept = new BsonWriter(bytes);
        for (ElementCursor at = document.cursor(); at.next(); ) {
            if (isKept(at)) {
                kept.copy(at);
            }
        }
        return kept.finish();
    }

    private boolean isKept(ElementCursor at) {
        return names.placeOf(at) >= 0;
    }
}
