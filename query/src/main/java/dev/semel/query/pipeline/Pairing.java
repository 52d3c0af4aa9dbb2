package dev.semel.query.pipeline;

import dev.semel.wire.bson.RawDocument;
import org.jspecify.annotations.Nullable;

/**
 * Documents, and to each of them those of another collection that belong to it.
 *
 * <pre>{@code
 * for (RawDocument each = pairing.document(); each != null; each = pairing.document()) {
 *     for (RawDocument partner = pairing.partner(); partner != null; partner = pairing.partner()) visit(each, partner);
 * }
 * }</pre>
 */
sealed interface Pairing extends AutoCloseable permits PairingByQuery, PairingById {
    /** Moves to the next document, whatever the last one has left; null after the last. */
    @Nullable
    RawDocument document();

    /** The next one that belongs to the current document; null after the last, and not called again then. */
    @Nullable
    RawDocument partner();

    @Override
    void close();
}
