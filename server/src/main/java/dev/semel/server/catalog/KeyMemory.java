package dev.semel.server.catalog;

import dev.semel.store.Transaction;
import dev.semel.wire.memory.Reservation;
import org.jspecify.annotations.Nullable;

/** What the keys of a document take while they are made: in a text index it has one for each word. */
final class KeyMemory {
    /** Shorter texts have too few words to matter. */
    private static final long BYTES_MIN = 16 << 10;

    /** A short word becomes a key with many objects around it. */
    private static final long BYTES_PER_BYTE = 50;

    /** No document has more words in an index. */
    private static final long BYTES_MAX = 64 << 20;

    private KeyMemory() {}

    /** Writes a document, or documents, of this size with what their keys may take reserved. */
    static void holding(Transaction transaction, Collection collection, long documentBytes, Runnable write) {
        Reservation held = reserve(transaction, collection, documentBytes);
        try {
            write.run();
        } finally {
            if (held != null) {
                held.close();
            }
        }
    }

    private static @Nullable Reservation reserve(Transaction transaction, Collection collection, long documentBytes) {
        boolean isText = documentBytes > BYTES_MIN
                && collection.maintained().stream().anyMatch(each -> each.kind() == IndexKind.TEXT);
        return isText ? transaction.reserve(Math.min(BYTES_MAX, documentBytes * BYTES_PER_BYTE)) : null;
    }
}
