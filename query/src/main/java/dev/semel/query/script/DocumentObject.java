package dev.semel.query.script;

import dev.semel.wire.bson.RawDocument;
import org.mozilla.javascript.NativeObject;

/** A document as an object. It remembers which of its numbers were 32-bit integers: those that stay as they are remain so. */
final class DocumentObject extends NativeObject {
    private static final long serialVersionUID = 1;

    private final transient RawDocument source;

    DocumentObject(RawDocument source) {
        this.source = source;
    }

    RawDocument source() {
        return source;
    }
}
