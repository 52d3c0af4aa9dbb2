package dev.semel.store;

import dev.semel.store.key.KeyRange;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Entries of a consensus log that are here and are applied later, in the order in which they came. They are rows of the
 * database: they are in its checkpoints, a restart finds them again, and the log need not keep them. Used by one thread at a
 * time, like {@link Applier}.
 *
 * <p>Rows of {@link Table#HELD}; numbers have the highest byte first:
 *
 * <pre>
 * key 'e', index in the log (8)   value: the entry
 * key 'n'                         value: the newest note
 * </pre>
 */
public final class HeldEntries {
    private static final byte ENTRY = 'e';
    private static final byte[] NOTE = {'n'};

    /** How much of what was held is in memory at a time; one entry at least. */
    private static final long READ_BYTES_MAX = 1 << 20;

    private static final long NONE = -1;

    private final Store store;
    private final Applier applier;

    /** Read, and not given out yet. */
    private final Deque<Held> read = new ArrayDeque<>();

    /** Indexes in the log: of the last entry that is held, that was read, and that is removed. */
    private long lastIndex;

    private long readIndex = NONE;
    private long removedIndex = NONE;

    /** Of the first and the last entry that were given out and are not removed. */
    private long firstTaken = NONE;

    private long lastTaken = NONE;

    /** An entry, and where it is in the log. */
    public record Held(long index, byte[] entry) {}

    public HeldEntries(Store store, Applier applier) {
        this.store = store;
        this.applier = applier;
        lastIndex = last();
    }

    private long last() {
        try (Snapshot snapshot = snapshot();
                Scan scan = snapshot.scan(Table.HELD, KeyRange.prefix(new byte[] {ENTRY}), true)) {
            return scan.next() ? index(scan.key()) : NONE;
        }
    }

    private Snapshot snapshot() {
        return store.snapshot(store.position().clusterTime());
    }

    /**
     * Holds an entry. From then on the database is at this position.
     *
     * @param note what must be known before the entry is applied; null if there is nothing new
     */
    public void add(LogPosition position, byte[] entry, byte @Nullable [] note) {
        Batch batch = new Batch();
        batch.put(Table.HELD, key(position.index()), entry);
        if (note != null) {
            batch.put(Table.HELD, NOTE, note);
        }
        applier.reached(position, batch);
        lastIndex = position.index();
    }

    /** The newest note; null if there was none. */
    public byte @Nullable [] note() {
        try (Snapshot snapshot = snapshot()) {
            return snapshot.get(Table.HELD, NOTE);
        }
    }

    /** Whether all that was held has been removed. */
    public boolean isEmpty() {
        return removedIndex == lastIndex;
    }

    /** What they take in the heap, roughly; 0 if they are on disk. */
    public long heapBytes() {
        return store.isPersistent() ? 0 : store.approximateBytes(Table.HELD, KeyRange.ALL);
    }

    /** The first one behind those that {@link #taken} was called for; null if there is none. */
    public @Nullable Held next() {
        if (read.isEmpty() && readIndex < lastIndex) {
            readOn();
        }
        return read.peek();
    }

    private void readOn() {
        long bytes = 0;
        try (Snapshot snapshot = snapshot();
                Scan scan =
                        snapshot.scan(Table.HELD, KeyRange.of(key(readIndex + 1), true, key(lastIndex), true), false)) {
            while (bytes < READ_BYTES_MAX && scan.next()) {
                Held next = new Held(index(scan.key()), scan.value());
                read.add(next);
                readIndex = next.index;
                bytes += next.entry.length;
            }
        }
    }

    /** The {@link #next} one is given out; after a restart again, unless it has been removed. */
    public void taken() {
        lastTaken = read.remove().index;
        firstTaken = firstTaken == NONE ? lastTaken : firstTaken;
    }

    /** All that were given out are applied, or never will be. */
    public void removeTaken() {
        Batch batch = new Batch();
        if (firstTaken == lastTaken) {
            batch.delete(Table.HELD, key(lastTaken));
        } else {
            batch.deleteRange(Table.HELD, KeyRange.closed(key(firstTaken), key(lastTaken)));
        }
        store.write(batch, false);
        removedIndex = lastTaken;
        firstTaken = NONE;
    }

    private static byte[] key(long index) {
        return ByteBuffer.allocate(1 + Long.BYTES).put(ENTRY).putLong(index).array();
    }

    private static long index(byte[] key) {
        return ByteBuffer.wrap(key, 1, Long.BYTES).getLong();
    }
}
