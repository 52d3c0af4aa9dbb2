package dev.semel.server.catalog;

import dev.semel.store.Transaction;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.memory.MemoryPart;
import org.jspecify.annotations.Nullable;

/** What collections and indexes take in the heap by being there, used or not: their names alone could fill it. */
final class CatalogMemory {
    /** Measured: an empty collection, and an index with one field. */
    private static final long COLLECTION_BYTES = 1_200;

    private static final long INDEX_BYTES = 1_700;

    /** Options and specifications are kept as they are and in a form to work with. */
    private static final int PARSED = 4;

    private final MemoryPart part;

    CatalogMemory(MemoryPart part) {
        this.part = part;
    }

    /** What is there already at the start. */
    void loaded(CollectionEntry entry) {
        part.take(bytes(entry));
    }

    /** Refuses an entry that has no room. Until the transaction ends the room is its own; returns what its commit adds. */
    long claim(@Nullable CollectionEntry before, @Nullable CollectionEntry after, Transaction transaction) {
        long more = bytes(after) - bytes(before);
        if (more > 0) {
            if (!part.tryReserve(more)) {
                throw part.refusal(ErrorCode.ExceededMemoryLimit, "What all collections and indexes take in memory");
            }
            transaction.onRelease(() -> part.release(more));
        }
        return more;
    }

    /** By a commit. */
    void changed(long moreBytes) {
        if (moreBytes > 0) {
            part.take(moreBytes);
        } else {
            part.release(-moreBytes);
        }
    }

    private static long bytes(@Nullable CollectionEntry entry) {
        if (entry == null) {
            return 0;
        }
        long bytes = COLLECTION_BYTES + (long) PARSED * entry.options().length();
        for (CollectionEntry.IndexEntry each : entry.indexes()) {
            bytes += INDEX_BYTES + (long) PARSED * each.spec().toDocument().length();
        }
        return bytes;
    }
}
