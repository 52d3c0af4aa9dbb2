package dev.semel.store.rocks;

import dev.semel.store.Scan;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/**
 * A walk of the engine's iterator. Bounds are told to the engine, so that it neither reads nor merges what lies beyond,
 * deleted entries above all. Read-ahead is the engine's: it begins with the third block in a row and grows from there,
 * which costs a short scan nothing.
 */
final class RocksScan implements Scan {
    private static final int BUFFER_BYTES = 4096;
    private static final byte[] NOTHING = {};

    private final RocksStore store;
    private final KeyRange range;
    private final boolean reverse;
    private final ReadOptions options;
    private final @Nullable Slice lower;
    private final @Nullable Slice upper;
    private final RocksIterator iterator;
    private State state = State.NEW;

    /** The current key, once somebody has asked for it. */
    private byte @Nullable [] key;

    private byte[] buffer = NOTHING;

    private enum State {
        NEW,
        /** On an entry that {@link #next} has yet to yield. */
        AHEAD,
        ON_ENTRY,
        DONE,
        CLOSED
    }

    private RocksScan(
            RocksStore store,
            KeyRange range,
            boolean reverse,
            ReadOptions options,
            @Nullable Slice lower,
            @Nullable Slice upper,
            RocksIterator iterator) {
        this.store = store;
        this.range = range;
        this.reverse = reverse;
        this.options = options;
        this.lower = lower;
        this.upper = upper;
        this.iterator = iterator;
    }

    static RocksScan open(
            RocksStore store, Table table, KeyRange range, boolean reverse, org.rocksdb.Snapshot snapshot) {
        ReadOptions options = new ReadOptions().setSnapshot(snapshot);
        Slice lower = reverse && range.low().length > 0 ? new Slice(range.low()) : null;
        byte[] high = range.high();
        Slice upper = high == null ? null : new Slice(high);
        if (lower != null) {
            options.setIterateLowerBound(lower);
        }
        if (upper != null) {
            options.setIterateUpperBound(upper);
        }
        RocksIterator iterator = store.engine().newIterator(store.family(table), options);
        RocksScan scan = new RocksScan(store, range, reverse, options, lower, upper, iterator);
        store.opened(scan);
        return scan;
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
                case NEW -> toFirst();
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

    private void toFirst() {
        if (reverse) {
            iterator.seekToLast();
        } else if (range.low().length == 0) {
            iterator.seekToFirst();
        } else {
            iterator.seek(range.low());
        }
    }

    private void step() {
        if (reverse) {
            iterator.prev();
        } else {
            iterator.next();
        }
    }

    /** After a move: is there an entry, and if not, because of the end or because of a broken file? */
    private void settle() {
        key = null;
        if (iterator.isValid()) {
            state = State.AHEAD;
            return;
        }
        try {
            iterator.status();
        } catch (RocksDBException e) {
            throw RocksStore.failure("scanning", e);
        }
        state = State.DONE;
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
            if (reverse) {
                iterator.seekForPrev(target);
            } else {
                iterator.seek(target);
            }
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
            byte[] read = iterator.key();
            key = read;
            return read;
        } finally {
            store.usage().exit(ticket);
        }
    }

    @Override
    public byte[] value() {
        checkOnEntry();
        int ticket = store.usage().enter();
        try {
            return iterator.value();
        } finally {
            store.usage().exit(ticket);
        }
    }

    @Override
    public byte[] transientValue() {
        checkOnEntry();
        int ticket = store.usage().enter();
        try {
            if (buffer.length == 0) {
                buffer = new byte[BUFFER_BYTES];
            }
            int length = iterator.value(buffer);
            if (length > buffer.length) {
                buffer = new byte[Math.max(length, 2 * buffer.length)];
                iterator.value(buffer);
            }
            return buffer;
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
        iterator.close();
        options.close();
        if (lower != null) {
            lower.close();
        }
        if (upper != null) {
            upper.close();
        }
    }
}
