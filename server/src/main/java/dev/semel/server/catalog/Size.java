package dev.semel.server.catalog;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/** How many documents a collection has and how many bytes they take, kept up by every commit. */
final class Size {
    private final LongAdder documents = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    /** By the committer, or before the collection is visible to others. */
    void add(long moreDocuments, long moreBytes) {
        documents.add(moreDocuments);
        bytes.add(moreBytes);
    }

    long documents() {
        return documents.sum();
    }

    long bytes() {
        return bytes.sum();
    }

    byte[] toRow() {
        return ByteBuffer.allocate(16).putLong(documents()).putLong(bytes()).array();
    }

    void addRow(byte[] row) {
        ByteBuffer stored = ByteBuffer.wrap(row);
        add(stored.getLong(), stored.getLong());
    }
}
