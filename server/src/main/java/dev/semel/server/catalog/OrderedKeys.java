package dev.semel.server.catalog;

import dev.semel.query.value.DottedPath;
import dev.semel.query.value.IndexKeys;
import dev.semel.wire.bson.RawDocument;
import java.util.List;

/** Keys of the values at the paths; arrays give one key per element. */
record OrderedKeys(IndexKeys keys) implements KeyGenerator {

    OrderedKeys(List<DottedPath> paths) {
        this(new IndexKeys(paths));
    }

    @Override
    public IndexKeys.Extraction extract(RawDocument document) {
        return keys.extract(document);
    }
}
