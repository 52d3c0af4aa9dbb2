package dev.semel.server.catalog;

import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The sizes of all collections. Commits keep them up to date in memory; an orderly end stores them. After any other end they
 * are counted again in the background, or on demand before that, in a snapshot from the start: what has been
 * committed since then is known. The snapshot is released as soon as everything is counted.
 */
public final class Sizes {
    private static final int KEYS_PER_CHECK = 1024;

    /** How often a thread that waits for another's count checks whether it is done. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Map<Integer, Size> sizes = new ConcurrentHashMap<>();

    /** What has yet to be counted, per collection. */
    private final Map<Integer, Uncounted> uncounted = new ConcurrentHashMap<>();

    private final ReentrantLock lock = new ReentrantLock();

    /** Open as long as something has to be counted; guarded by the lock, as are its readers. */
    private @Nullable Snapshot atStart;

    private int readers;

    /** How many documents and how many bytes. */
    public record Total(long documents, long bytes) {}

    /** Held while a collection is counted; others wait, which is usually quicker than to count as well. */
    private record Uncounted(Size size, ReentrantLock lock) {}

    /** Reads what was written down, for the collections that exist. Takes over the snapshot. */
    void load(Snapshot snapshot, Iterable<Integer> collections) {
        atStart = snapshot;
        for (int number : collections) {
            Size size = new Size();
            sizes.put(number, size);
            byte[] row = snapshot.get(Table.CATALOG, CatalogRows.size(number));
            if (row == null) {
                uncounted.put(number, new Uncounted(size, new ReentrantLock()));
            } else {
                size.addRow(row);
            }
        }
        releaseIfCounted();
    }

    /** By a commit. */
    void changed(int collection, long documents, long bytes) {
        sizes.computeIfAbsent(collection, number -> new Size()).add(documents, bytes);
    }

    /** By a commit: the collection is gone. */
    void remove(int collection) {
        sizes.remove(collection);
        if (uncounted.remove(collection) != null) {
            releaseIfCounted();
        }
    }

    /** The size as of now. */
    Total of(int collection, Interruption interruption) {
        Uncounted due = uncounted.get(collection);
        if (due != null) {
            count(collection, due, interruption);
        }
        Size size = sizes.get(collection);
        return size == null ? new Total(0, 0) : new Total(size.documents(), size.bytes());
    }

    /** Counts the remaining collections, one after the other. */
    void countAll(Interruption interruption) {
        uncounted.forEach((collection, due) -> count(collection, due, interruption));
    }

    private void count(int collection, Uncounted due, Interruption interruption) {
        while (!due.lock().tryLock()) {
            interruption.check();
            interruption.park(due, LOOK_NANOS);
        }
        try {
            if (!uncounted.containsKey(collection)) {
                return;
            }
            Snapshot snapshot = enter();
            if (snapshot == null) {
                return;
            }
            try {
                Total total = count(collection, snapshot, interruption);
                due.size().add(total.documents(), total.bytes());
                uncounted.remove(collection, due);
            } finally {
                leave();
            }
        } finally {
            due.lock().unlock();
        }
    }

    /** Looks at every document. */
    static Total count(int collection, Snapshot snapshot, Interruption interruption) {
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
        return new Total(documents, bytes);
    }

    /** The snapshot, which stays open until {@link #leave}; null at the end of the server. */
    private @Nullable Snapshot enter() {
        lock.lock();
        try {
            if (atStart != null) {
                readers++;
            }
            return atStart;
        } finally {
            lock.unlock();
        }
    }

    private void leave() {
        lock.lock();
        try {
            readers--;
        } finally {
            lock.unlock();
        }
        releaseIfCounted();
    }

    private void releaseIfCounted() {
        lock.lock();
        try {
            Snapshot snapshot = atStart;
            if (snapshot != null && readers == 0 && uncounted.isEmpty()) {
                snapshot.close();
                atStart = null;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether a snapshot is kept because something is still to be counted. */
    boolean isCounting() {
        lock.lock();
        try {
            return atStart != null;
        } finally {
            lock.unlock();
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

    /** When no count is running any more. */
    void close() {
        lock.lock();
        try {
            Snapshot snapshot = atStart;
            if (snapshot != null) {
                snapshot.close();
                atStart = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
