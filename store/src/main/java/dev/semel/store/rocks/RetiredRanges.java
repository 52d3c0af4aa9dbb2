package dev.semel.store.rocks;

import dev.semel.store.Batch;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Ranges whose rows are {@link Batch#retire retired}. A deletion of a range costs the engine a merge of all files that lie in it,
 * and in vain while an old snapshot shows the rows; so the commit only notes the range, and when no snapshot shows it any more, its
 * files are deleted as they are. The note is a row of the {@link Description}:
 *
 * <pre>
 * key    "retired", index of the table (1), length of the lower bound (4), lower bound, upper bound
 * value  nothing
 * </pre>
 */
final class RetiredRanges {
    /** How many wait in the heap, of a hundred bytes or two each; the others are read again when these are done. */
    static final int WAITING_MAX = 4096;

    private static final byte[] PREFIX = "retired".getBytes(StandardCharsets.US_ASCII);
    private static final int HEAD_BYTES = PREFIX.length + 1 + Integer.BYTES;
    private static final byte[] NOTHING = {};
    private static final String OLDEST_SNAPSHOT = "rocksdb.oldest-snapshot-sequence";

    private final RocksDB engine;
    private final ColumnFamilyHandle description;
    private final ColumnFamilyHandle[] families;
    private final Runnable sync;
    private final ReentrantLock lock = new ReentrantLock();

    /** Oldest first; guarded by the lock. */
    private final Queue<Waiting> waiting = new ArrayDeque<>();

    /** There are rows of some that do not wait here; guarded by the lock. */
    private boolean isIncomplete;

    /** With the engine's number of the batch that retired it: a snapshot of a lower one shows the rows. */
    private record Waiting(Table table, byte[] low, byte[] high, long sequence) {}

    /** @param sync makes durable what has been written */
    RetiredRanges(RocksDB engine, ColumnFamilyHandle description, ColumnFamilyHandle[] families, Runnable sync) {
        this.engine = engine;
        this.description = description;
        this.families = families;
        this.sync = sync;
    }

    /** Passes rows on, and notes what is retired in the table of the description instead of deleting it. */
    static Batch.Target noting(Batch.Target rows, BiConsumer<byte[], byte[]> description) {
        return new Batch.Target() {
            @Override
            public void put(Table table, byte[] key, byte[] value) {
                rows.put(table, key, value);
            }

            @Override
            public void delete(Table table, byte[] key) {
                rows.delete(table, key);
            }

            @Override
            public void deleteRange(Table table, KeyRange range) {
                rows.deleteRange(table, range);
            }

            @Override
            public void retire(Table table, KeyRange range) {
                byte[] high = range.high();
                if (high == null) {
                    rows.deleteRange(table, range);
                } else {
                    description.accept(key(table, range.low(), high), NOTHING);
                }
            }
        };
    }

    private static byte[] key(Table table, byte[] low, byte[] high) {
        return ByteBuffer.allocate(HEAD_BYTES + low.length + high.length)
                .put(PREFIX)
                .put((byte) table.index())
                .putInt(low.length)
                .put(low)
                .put(high)
                .array();
    }

    /** What a batch that has been written has retired. */
    void add(Batch batch) {
        long sequence = engine.getLatestSequenceNumber();
        lock.lock();
        try {
            batch.applyTo(new Batch.Target() {
                @Override
                public void put(Table table, byte[] key, byte[] value) {}

                @Override
                public void delete(Table table, byte[] key) {}

                @Override
                public void deleteRange(Table table, KeyRange range) {}

                @Override
                public void retire(Table table, KeyRange range) {
                    byte[] high = range.high();
                    if (high != null) {
                        add(new Waiting(table, range.low(), high, sequence));
                    }
                }
            });
        } finally {
            lock.unlock();
        }
    }

    private void add(Waiting range) {
        if (waiting.size() < WAITING_MAX) {
            waiting.add(range);
        } else {
            isIncomplete = true;
        }
    }

    int count() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Deletes the files of those that no snapshot shows, and what is left of them in files that they share with others.
     *
     * @return whether there were any
     */
    boolean reclaim(WriteOptions unlogged) throws RocksDBException {
        List<Waiting> due = takeDue();
        if (due.isEmpty()) {
            return false;
        }
        boolean done = false;
        try {
            reclaim(due, unlogged);
            done = true;
        } finally {
            if (!done) {
                readAgain();
            }
        }
        return true;
    }

    private void reclaim(List<Waiting> due, WriteOptions unlogged) throws RocksDBException {
        // Otherwise a power loss might bring back a collection whose files are gone.
        sync.run();
        Map<Table, List<byte[]>> bounds = new EnumMap<>(Table.class);
        try (WriteBatch batch = new WriteBatch()) {
            for (Waiting each : due) {
                bounds.computeIfAbsent(each.table, table -> new ArrayList<>()).addAll(List.of(each.low, each.high));
                // The log is retired from its beginning on, so what is left goes with its next range. A deletion
                // beside its newest rows would have all of it merged.
                if (each.table != Table.OPLOG) {
                    batch.deleteRange(families[each.table.index()], each.low, each.high);
                }
                batch.delete(description, key(each.table, each.low, each.high));
            }
            for (Map.Entry<Table, List<byte[]>> each : bounds.entrySet()) {
                engine.deleteFilesInRanges(families[each.getKey().index()], each.getValue(), false);
            }
            engine.write(unlogged, batch);
        }
    }

    private void readAgain() {
        lock.lock();
        try {
            isIncomplete = true;
        } finally {
            lock.unlock();
        }
    }

    private List<Waiting> takeDue() throws RocksDBException {
        List<Waiting> due = new ArrayList<>();
        lock.lock();
        try {
            if (waiting.isEmpty() && isIncomplete) {
                loadWaiting();
            }
            if (waiting.isEmpty()) {
                return due;
            }
            // 0 if there is no snapshot.
            long oldest = engine.getLongProperty(OLDEST_SNAPSHOT);
            for (Waiting next = waiting.peek(); next != null; next = waiting.peek()) {
                if (oldest != 0 && oldest < next.sequence) {
                    break;
                }
                due.add(waiting.remove());
            }
        } finally {
            lock.unlock();
        }
        return due;
    }

    /** Those of an earlier process, before anybody has a snapshot. */
    void load() throws RocksDBException {
        lock.lock();
        try {
            loadWaiting();
        } finally {
            lock.unlock();
        }
    }

    private void loadWaiting() throws RocksDBException {
        isIncomplete = false;
        try (RocksIterator rows = engine.newIterator(description)) {
            // After the iterator, so that no row which it shows is of a later batch.
            long sequence = engine.getLatestSequenceNumber();
            for (rows.seek(PREFIX); rows.isValid() && !isIncomplete; rows.next()) {
                byte[] key = rows.key();
                if (!Arrays.equals(key, 0, Math.min(PREFIX.length, key.length), PREFIX, 0, PREFIX.length)) {
                    break;
                }
                ByteBuffer content = ByteBuffer.wrap(key, PREFIX.length, key.length - PREFIX.length);
                Table table = Table.at(content.get());
                byte[] low = new byte[content.getInt()];
                byte[] high = new byte[content.remaining() - low.length];
                content.get(low).get(high);
                add(new Waiting(table, low, high, sequence));
            }
            rows.status();
        }
    }
}
