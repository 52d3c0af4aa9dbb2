package dev.semel.query.pipeline;

import dev.semel.wire.bson.RawDocument;
import org.jspecify.annotations.Nullable;

/** Documents, one after the other, to be pulled by one thread. */
public interface Source extends AutoCloseable {
    /** The next document, or null after the last. It stays as it is when the source moves on. */
    @Nullable
    RawDocument next();

    /** Lets go of whatever the source reads from; may be called at any time and more than once. */
    @Override
    void close();

    /** The documents of a list. */
    static Source of(Iterable<RawDocument> documents) {
        var iterator = documents.iterator();
        return new Source() {
            @Override
            public @Nullable RawDocument next() {
                return iterator.hasNext() ? iterator.next() : null;
            }

            @Override
            public void close() {}
        };
    }
}
