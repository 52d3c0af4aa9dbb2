package dev.semel.query.script;

import dev.semel.wire.bson.RawDocument;
import org.mozilla.javascript.NativeArray;

/** An array of a document, which remembers the types of its numbers like {@link DocumentObject}. */
final class DocumentArray extends NativeArray {
    private static final long serialVersionUID = 1;

    private final transient RawDocument source;

    DocumentArray(Object[] elements, RawDocument source) {
        super(elements);
        this.source = source;
    }

    RawDocument source() {
        return source;
    }
}
