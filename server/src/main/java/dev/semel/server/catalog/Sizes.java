package dev.semel.server.catalog;

import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The sizes of all collections. Commits keep them up in memory; an orderly end writes them down. After any other end they
 * are counted again, each when it is first asked for, in a snapshot from the start: what has been committed since then
 * is known.
 */
public final class Sizes {
    private static final int KEYS_PER_CHECK = 1024;

    private final Map<Integer, Size> sizes = new ConcurrentHashMap<>();
    private final ReentrantLock counting = new ReentrantLock();

    /** What is to be counted, per collection; guarded by the lock. */
    private final Map<Integer, Size> uncounted = new ConcurrentHashMap<>();

    /** Open as long as something is to be counted; guarded by the lock. */
    private @Nullable Snapshot atStart;

    /** How many documents and how many bytes. */
    public record Total(long documents, long bytes) {}

    /** Reads what was written down, for the collections that exist. Takes over the snapshot. */
    void load(Snapshot snapshot, Iterable<Integer> collections) {
        atStart = snapshot;
        for (int number : collections) {
            Size size = new Size();
            sizes.put(number, size);
            byte[] row = snapshot.get(Table.CATALOG, CatalogRows.size(number));
            if (row == null) {
                uncounted.put(number, size);
            } else {
                size.addRow(row);
            }
        }
        closeIfCounted();
    }

    /** A collection that has just been made and is empty. */
    void addNew(int collection) {
        sizes.put(collection, new Size());
    }

    void remove(int collection) {
        sizes.remove(collection);
        uncounted.remove(collection);
    }

    /** To be kept up with at each commit; complete only once {@link #of} has returned it. */
    Size changing(int collection) {
        return sizes.computeIfAbsent(collection, number -> new Size());
    }

    /** The size as of now. */
    Total of(int collection, Interruption interruption) {
        Size size = changing(collection);
        if (uncounted.containsKey(collection)) {
            count(collection, size, interruption);
        }
        return new Total(size.documents(), size.bytes());
    }

    private void count(int collection, Size size, Interruption interruption) {
        counting.lock();
        try {
            Snapshot snapshot = atStart;
            if (snapshot == null || !uncounted.containsKey(collection)) {
                return;
            }
            long documents = 0;
            long bytes = 0;
            KeyRange range = KeyRange.prefix(CatalogRows.prefix(collection));
            try (Scan scan = snapshot.scan(Table.DOCUMENTS, range, false)) {
                while (scan.next()) {
                    documents++;
                    bytes += scan.value().length;
                    if (documents % KEYS_PER_CHECK == 0) {
                        interruption.check();
                    }
                }
            }
            size.add(documents, bytes);
            uncounted.remove(collection);
            closeIfCounted();
        } finally {
            counting.unlock();
        }
    }

    private void closeIfCounted() {
        Snapshot snapshot = atStart;
        if (snapshot != null && uncounted.isEmpty()) {
            snapshot.close();
            atStart = null;
        }
    }

    /** From here on the rows would be wrong, so they go before the first change. */
    static void forgetStored(Transaction transaction) {
        transaction.deleteRange(Table.CATALOG, CatalogRows.SIZES);
    }

    /** At an orderly end, when nothing changes any more. What was never counted is left to be counted. */
    void writeTo(Transaction transaction) {
        sizes.forEach((number, size) -> {
            if (!uncounted.containsKey(number)) {
                transaction.put(Table.CATALOG, CatalogRows.size(number), size.toRow());
            }
        });
    }

    void close() {
        counting.lock();
        try {
            Snapshot snapshot = atStart;
            if (snapshot != null) {
                snapshot.close();
                atStart = null;
            }
        } finally {
            counting.unlock();
        }
    }
}
