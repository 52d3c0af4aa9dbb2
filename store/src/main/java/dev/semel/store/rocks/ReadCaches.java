package dev.semel.store.rocks;

import dev.semel.store.Batch;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What of the engine is kept in the heap because it has been read more than once: documents, and short scans of indexes. */
final class ReadCaches {
    /** A large document costs little more in the engine than here. */
    private static final int DOCUMENT_BYTES_MAX = 16 << 10;

    private static final int SCANS_SHARE = 4;

    private final int documentBytesMax;
    private final VersionedCache<byte[]> documents;
    private final ScanCache scans;

    /** The newest batch that is written. */
    private final AtomicLong newestBatch = new AtomicLong();

    /** With 0 they stay empty. */
    ReadCaches(long bytesMax) {
        this.documentBytesMax = (int) Math.min(DOCUMENT_BYTES_MAX, bytesMax / 64);
        this.scans = new ScanCache(bytesMax / SCANS_SHARE);
        this.documents = new VersionedCache<>(bytesMax - bytesMax / SCANS_SHARE, value -> value.length);
    }

    /** The number of a snapshot that is taken after this call. */
    long newestBatch() {
        return newestBatch.get();
    }

    /** Null if it is not known what the snapshot with this number shows. */
    byte @Nullable [] document(byte[] key, long snapshot) {
        return documents.get(key, snapshot);
    }

    /** What the snapshot with this number has shown, read from the engine; it is not changed afterwards. */
    void read(byte[] key, byte[] document, long snapshot) {
        if (document.length <= documentBytesMax && documents.isMissedAgain(key)) {
            documents.put(key, document, snapshot);
        }
    }

    ScanCache scans() {
        return scans;
    }

    /** By the one writer, before the engine gets it. */
    void writing(Batch batch) {
        long number = newestBatch.get() + 1;
        scans.begins(number);
        if (batch.staged() != null) {
            documents.outdateAll(number);
            scans.outdateAll(number);
        }
        batch.applyTo(new Outdating(number));
    }

    /** By the one writer, when the engine has it. */
    void renew(Batch batch) {
        long number = newestBatch.get() + 1;
        if (!documents.isAllOutdatedBy(number)) {
            batch.applyTo(new Renewing(number));
        }
    }

    /** By the one writer, when every snapshot that is taken from now on shows the batch, or none does because it failed. */
    void written() {
        newestBatch.incrementAndGet();
    }

    long documentBytes() {
        return documents.bytes();
    }

    long documentHits() {
        return documents.hits();
    }

    /** Marks what a batch writes to. */
    private final class Outdating implements Batch.Target {
        private final long number;

        Outdating(long number) {
            this.number = number;
        }

        @Override
        public void put(Table table, byte[] key, byte[] value) {
            delete(table, key);
        }

        @Override
        public void delete(Table table, byte[] key) {
            if (table == Table.DOCUMENTS) {
                documents.outdate(key, key.length, number);
            } else if (table == Table.INDEXES) {
                scans.outdate(key, number);
            }
        }

        @Override
        public void deleteRange(Table table, KeyRange range) {
            if (table == Table.DOCUMENTS) {
                documents.outdateAll(number);
            } else if (table == Table.INDEXES) {
                scans.outdateAll(number);
            }
        }
    }

    /** Puts what a batch has written into the place of what was here under the same keys. */
    private final class Renewing implements Batch.Target {
        private final long number;

        Renewing(long number) {
            this.number = number;
        }

        @Override
        public void put(Table table, byte[] key, byte[] value) {
            renew(table, key, value.length <= documentBytesMax ? value : null);
        }

        @Override
        public void delete(Table table, byte[] key) {
            renew(table, key, null);
        }

        private void renew(Table table, byte[] key, byte @Nullable [] document) {
            if (table == Table.DOCUMENTS) {
                documents.renew(key, document, number);
            }
        }

        @Override
        public void deleteRange(Table table, KeyRange range) {
            // Batches that remove documents by range renew nothing.
        }
    }
}
