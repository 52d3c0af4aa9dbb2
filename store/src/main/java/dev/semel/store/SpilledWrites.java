package dev.semel.store;

import dev.semel.store.key.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction has written and the heap does not hold: a store of its own in a temporary folder, to which the
 * transaction's {@link Writes} are added when they have become too large. A value has one byte before it; a key that is
 * deleted has that byte alone.
 *
 * <p>Written by the thread of the transaction. Its states may be read by others, which acquire it; the last user closes it.
 */
final class SpilledWrites {
    private static final long BATCH_BYTES = 1 << 20;
    private static final byte[] GONE = {0};
    private static final byte PRESENT = 1;
    private static final Table[] TABLES = Table.values();

    private final ScratchSpace.Folder folder;
    private final Store rows;
    private final AtomicInteger users = new AtomicInteger(1);
    private final List<State> states = new ArrayList<>();

    /** Whether it may have got further than the newest state, in an attempt that failed. */
    private boolean isAhead;

    private SpilledWrites(ScratchSpace.Folder folder, Store rows) {
        this.folder = folder;
        this.rows = rows;
    }

    static SpilledWrites open(Store store, ScratchSpace files) {
        ScratchSpace.Folder folder = files.openFolder();
        try {
            return new SpilledWrites(folder, store.scratch(folder.path()));
        } catch (Throwable e) {
            folder.close();
            throw e;
        }
    }

    // ---- who uses it

    /** False if it has been closed. */
    boolean tryAcquire() {
        return users.getAndUpdate(now -> now == 0 ? 0 : now + 1) > 0;
    }

    void release() {
        if (users.decrementAndGet() == 0) {
            Threads.offCarrier("semel-spill", this::close);
        }
    }

    private void close() {
        try (folder;
                rows) {
            states.forEach(each -> each.snapshot.close());
        }
    }

    // ---- writing

    /** Whether what is added next is added to this state. */
    boolean isAt(@Nullable State state) {
        return state != null && !isAhead && states.getLast() == state;
    }

    /** Adds what is in the heap, on top of what is here. */
    State add(Writes writes) {
        return Threads.offCarrier("semel-spill", () -> {
            Chunk chunk = new Chunk();
            writes.forEachInHeap((table, key, value) -> chunk.put(table, key, encode(value)));
            chunk.write();
            return state();
        });
    }

    /** The newest state becomes equal to an earlier one. */
    State restore(State earlier) {
        return Threads.offCarrier("semel-spill", () -> {
            Chunk chunk = new Chunk();
            try (Snapshot newest = rows.snapshot(0)) {
                for (Table table : TABLES) {
                    restore(table, newest, earlier.snapshot, chunk);
                }
            }
            chunk.write();
            return state();
        });
    }

    private static void restore(Table table, Snapshot newest, Snapshot earlier, Chunk chunk) {
        try (Scan now = newest.scan(table, KeyRange.ALL, false);
                Scan then = earlier.scan(table, KeyRange.ALL, false)) {
            boolean hasNow = now.next();
            boolean hasThen = then.next();
            while (hasNow || hasThen) {
                int order = !hasNow ? 1 : !hasThen ? -1 : Arrays.compareUnsigned(now.key(), then.key());
                if (order < 0) {
                    chunk.remove(table, now.key());
                } else if (order > 0 || !Arrays.equals(now.value(), then.value())) {
                    chunk.put(table, then.key(), then.value());
                }
                hasThen = order >= 0 ? then.next() : hasThen;
                hasNow = order <= 0 ? now.next() : hasNow;
            }
        }
    }

    private State state() {
        isAhead = false;
        State state = new State(this, rows.snapshot(0));
        states.add(state);
        return state;
    }

    private static byte[] encode(byte[] value) {
        if (Writes.isDeleted(value)) {
            return GONE;
        }
        byte[] encoded = new byte[value.length + 1];
        encoded[0] = PRESENT;
        System.arraycopy(value, 0, encoded, 1, value.length);
        return encoded;
    }

    private static byte[] decode(byte[] encoded) {
        return encoded[0] == PRESENT ? Arrays.copyOfRange(encoded, 1, encoded.length) : Writes.DELETED;
    }

    /** Changes that go to the store together, for speed alone. */
    private final class Chunk {
        private Batch batch = new Batch();

        void put(Table table, byte[] key, byte[] encoded) {
            batch.put(table, key, encoded);
            writeIfLarge();
        }

        void remove(Table table, byte[] key) {
            batch.delete(table, key);
            writeIfLarge();
        }

        private void writeIfLarge() {
            if (batch.bytes() > BATCH_BYTES) {
                write();
            }
        }

        void write() {
            isAhead = true;
            folder.reserve(batch.bytes());
            rows.write(batch, false);
            batch = new Batch();
        }
    }

    // ---- reading

    /** What was written up to an instant. */
    static final class State {
        private final SpilledWrites in;
        private final Snapshot snapshot;

        private State(SpilledWrites in, Snapshot snapshot) {
            this.in = in;
            this.snapshot = snapshot;
        }

        SpilledWrites in() {
            return in;
        }

        /** As {@link Writes#get}. */
        byte @Nullable [] get(Table table, byte[] key) {
            byte[] encoded = snapshot.get(table, key);
            return encoded == null ? null : decode(encoded);
        }

        /** The caller closes them. */
        WrittenRows rows(Table table, KeyRange range, boolean reverse) {
            return new Rows(snapshot.scan(table, range, reverse));
        }
    }

    private static final class Rows implements WrittenRows {
        private final Scan scan;

        /** The current one, read on first use. */
        private byte @Nullable [] value;

        Rows(Scan scan) {
            this.scan = scan;
        }

        @Override
        public boolean next() {
            value = null;
            return scan.next();
        }

        @Override
        public byte[] key() {
            return scan.key();
        }

        @Override
        public byte[] value() {
            byte[] known = value;
            if (known == null) {
                known = decode(scan.value());
                value = known;
            }
            return known;
        }

        @Override
        public void seek(byte[] key) {
            value = null;
            scan.seek(key);
        }

        @Override
        public void close() {
            scan.close();
        }
    }
}
