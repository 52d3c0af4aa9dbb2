package dev.semel.store.rocks;

import dev.semel.store.Scan;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.wire.memory.LargeValues;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDBException;

/**
 * A walk of the engine's iterator. Read-ahead is the engine's: it begins with the third block in a row and grows from there,
 * which costs a short scan nothing.
 *
 * <p>On a virtual thread the walk sees the cache only. Where that ends, a platform thread takes a second walk to the same
 * place, and the further ahead the more often that happens; then the first one finds it in the cache.
 */
final class RocksScan implements Scan {
    private static final int BUFFER_BYTES = 4096;
    private static final byte[] NOTHING = {};
    private static final int NOT_READ = -1;

    /** How often the position is noted: it cannot be asked for once the walk has failed. */
    private static final int STEPS_PER_ANCHOR = 256;

    private static final long AHEAD_BYTES_MIN = 16 << 10;
    private static final long AHEAD_BYTES_MAX = 512 << 10;

    private final RocksStore store;
    private final Table table;
    private final KeyRange range;
    private final boolean reverse;
    private final org.rocksdb.Snapshot snapshot;

    /** By which entries are read; {@link #warming} itself once the cache has turned out to be too small. */
    private Walk walk;

    private @Nullable Walk warming;
    private State state = State.NEW;

    /** The position, in steps after the first entry at or beyond this key, or of the range if it is null. */
    private byte @Nullable [] anchor;

    private int steps;
    private long aheadBytes;

    /** The current key, read on first use. */
    private byte @Nullable [] key;

    private byte[] buffer = NOTHING;

    /** How many bytes of the buffer are the current value. */
    private int buffered = NOT_READ;

    private enum State {
        NEW,
        /** On an entry that {@link #next} has yet to yield. */
        AHEAD,
        ON_ENTRY,
        DONE,
        CLOSED
    }

    private RocksScan(RocksStore store, Table table, KeyRange range, boolean reverse, org.rocksdb.Snapshot snapshot) {
        this.store = store;
        this.table = table;
        this.range = range;
        this.reverse = reverse;
        this.snapshot = snapshot;
        this.walk = walk(ColdReads.areForOthers() ? ReadTier.BLOCK_CACHE_TIER : ReadTier.READ_ALL_TIER);
    }

    static RocksScan open(
            RocksStore store, Table table, KeyRange range, boolean reverse, org.rocksdb.Snapshot snapshot) {
        RocksScan scan = new RocksScan(store, table, range, reverse, snapshot);
        store.opened(scan);
        return scan;
    }

    private Walk walk(ReadTier tier) {
        return store.walks().take(store, table, range, reverse, snapshot, tier);
    }

    @Override
    public boolean next() {
        if (state == State.DONE) {
            return false;
        }
        checkOpen();
        int ticket = store.usage().enter();
        try {
            switch (state) {
                case NEW -> walk.toFirst(null);
                case ON_ENTRY -> step();
                case AHEAD, DONE, CLOSED -> {}
            }
            if (state != State.AHEAD) {
                settle();
            }
        } finally {
            store.usage().exit(ticket);
        }
        state = state == State.DONE ? State.DONE : State.ON_ENTRY;
        return state == State.ON_ENTRY;
    }

    private void step() {
        if (steps == STEPS_PER_ANCHOR) {
            anchor = walk.key();
            steps = 0;
        }
        steps++;
        walk.step();
    }

    /** After a move: is there an entry, and if not, because of the end, a broken file, or because it is not cached? */
    private void settle() {
        key = null;
        buffered = NOT_READ;
        if (!walk.isOnEntry()) {
            RocksDBException failure = walk.failure();
            if (failure != null && ColdReads.isNeeded(failure)) {
                warm();
                failure = walk.isOnEntry() ? null : walk.failure();
            }
            if (failure != null) {
                throw RocksStore.failure("scanning", failure);
            }
        }
        state = walk.isOnEntry() ? State.AHEAD : State.DONE;
    }

    private void warm() {
        Walk known = warming;
        Walk second = known != null ? known : walk(ReadTier.READ_ALL_TIER);
        warming = second;
        long ahead = aheadBytes;
        aheadBytes = Math.clamp(2 * aheadBytes, AHEAD_BYTES_MIN, AHEAD_BYTES_MAX);
        boolean isThere = store.coldReads().read(() -> isPassed(second, anchor, steps, ahead), warmUp(ahead));
        RocksDBException failure = second.failure();
        if (failure != null) {
            throw RocksStore.failure("scanning", failure);
        }
        if (walk.to(anchor, steps) == isThere && (isThere || walk.failure() == null)) {
            return;
        }
        // What has just been read is gone again. Without a cache there is nothing to be read but files.
        store.coldReads().read(() -> second.to(anchor, steps), warmUp(ahead));
        store.walks().giveBack(store, walk);
        walk = second;
        warming = null;
    }

    /** Whether there is an entry; then it is read, and so many bytes behind it. */
    private static boolean isPassed(Walk walk, byte @Nullable [] anchor, int steps, long aheadBytes) {
        boolean found = walk.to(anchor, steps);
        if (found) {
            walk.pass(aheadBytes);
        }
        return found;
    }

    /**
     * The same by a walk of its own, because this scan and its snapshot are closed by then. It goes some way ahead in any
     * case: a statement begins again a few times only.
     */
    private Runnable warmUp(long aheadBytes) {
        byte[] from = anchor;
        int far = steps;
        long bytes = Math.max(aheadBytes, AHEAD_BYTES_MIN);
        return () -> WarmUp.walk(store, table, range, reverse, walk -> isPassed(walk, from, far, bytes));
    }

    @Override
    public void seek(byte[] target) {
        if (state == State.NEW && next()) {
            state = State.AHEAD;
        }
        if (state == State.DONE) {
            return;
        }
        int order = Arrays.compareUnsigned(key(), target);
        if (reverse ? order <= 0 : order >= 0) {
            return;
        }
        int ticket = store.usage().enter();
        try {
            anchor = target;
            steps = 0;
            walk.toFirst(target);
            settle();
        } finally {
            store.usage().exit(ticket);
        }
    }

    @Override
    public byte[] key() {
        byte[] known = key;
        if (known != null) {
            return known;
        }
        checkOnEntry();
        int ticket = store.usage().enter();
        try {
            byte[] read = walk.key();
            key = read;
            return read;
        } finally {
            store.usage().exit(ticket);
        }
    }

    @Override
    public byte[] value() {
        if (buffered != NOT_READ && !LargeValues.isLarge(buffered)) {
            checkOnEntry();
            return Arrays.copyOf(buffer, buffered);
        }
        byte[] value = store.largeValues().held(read(), this::read);
        if (value == null) {
            throw new IllegalStateException("an entry without a value");
        }
        return value;
    }

    private byte[] read() {
        checkOnEntry();
        int ticket = store.usage().enter();
        try {
            return walk.value();
        } finally {
            store.usage().exit(ticket);
        }
    }

    @Override
    public byte[] transientValue() {
        if (buffered != NOT_READ) {
            checkOnEntry();
            return buffer;
        }
        if (buffer.length == 0) {
            buffer = new byte[BUFFER_BYTES];
        }
        int length = readInto(buffer);
        if (length > buffer.length) {
            store.largeValues().hold(length);
            buffer = new byte[LargeValues.isLarge(length) ? length : Math.max(length, 2 * buffer.length)];
            readInto(buffer);
        }
        buffered = length;
        return buffer;
    }

    @Override
    public boolean hasValuesAtHand() {
        return false;
    }

    /** How long the value is. */
    private int readInto(byte[] into) {
        checkOnEntry();
        int ticket = store.usage().enter();
        try {
            return walk.value(into);
        } finally {
            store.usage().exit(ticket);
        }
    }

    /** The engine would read through a dangling pointer. */
    private void checkOnEntry() {
        checkOpen();
        if (state == State.NEW || state == State.DONE) {
            throw new IllegalStateException("not on an entry");
        }
    }

    /** A scan that the store has closed must not look like one that has come to its end. */
    private void checkOpen() {
        if (state == State.CLOSED) {
            throw new IllegalStateException("the scan is closed");
        }
    }

    @Override
    public void close() {
        store.release(this);
    }

    /** Under the store's usage, and once. */
    void dispose() {
        state = State.CLOSED;
        store.walks().giveBack(store, walk);
        Walk second = warming;
        if (second != null) {
            store.walks().giveBack(store, second);
        }
    }
}
