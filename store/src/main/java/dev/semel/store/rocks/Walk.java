package dev.semel.store.rocks;

import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/** An iterator of the engine over a range in one direction, with the native objects that takes. */
final class Walk implements AutoCloseable {
    private static final byte[] NOTHING = {};

    private final KeyRange range;
    private final boolean reverse;
    private final ReadOptions options;
    private final @Nullable Slice lower;
    private final @Nullable Slice upper;
    private final RocksIterator iterator;

    /** The engine gets the bounds, so that it neither reads nor merges what lies beyond, deleted entries above all. */
    Walk(RocksStore store, Table table, KeyRange range, boolean reverse, org.rocksdb.Snapshot snapshot, ReadTier tier) {
        this.range = range;
        this.reverse = reverse;
        byte[] high = range.high();
        options = new ReadOptions().setSnapshot(snapshot).setReadTier(tier);
        lower = reverse && range.low().length > 0 ? new Slice(range.low()) : null;
        upper = high == null ? null : new Slice(high);
        if (lower != null) {
            options.setIterateLowerBound(lower);
        }
        if (upper != null) {
            options.setIterateUpperBound(upper);
        }
        iterator = store.engine().newIterator(store.family(table), options);
    }

    /** To the first entry at or beyond a key, of the whole range if there is no key. */
    void toFirst(byte @Nullable [] from) {
        if (from != null) {
            seek(from);
        } else if (reverse) {
            iterator.seekToLast();
        } else if (range.low().length == 0) {
            iterator.seekToFirst();
        } else {
            iterator.seek(range.low());
        }
    }

    private void seek(byte[] key) {
        if (reverse) {
            iterator.seekForPrev(key);
        } else {
            iterator.seek(key);
        }
    }

    void step() {
        if (reverse) {
            iterator.prev();
        } else {
            iterator.next();
        }
    }

    /** Moves to the entry that many steps after {@link #toFirst}; false if there is none. */
    boolean to(byte @Nullable [] from, int steps) {
        toFirst(from);
        for (int i = 0; i < steps && iterator.isValid(); i++) {
            step();
        }
        return iterator.isValid();
    }

    /** Reads on over that many bytes of values, so that they are in the cache. */
    void pass(long bytes) {
        for (long passed = 0; passed < bytes && iterator.isValid(); step()) {
            passed += iterator.value(NOTHING);
        }
    }

    /** On an entry; if not, it is at the end, or {@link #failure} says why not. */
    boolean isOnEntry() {
        return iterator.isValid();
    }

    /** A file is broken, or the cache not enough; null at the end of the range. */
    @Nullable
    RocksDBException failure() {
        try {
            iterator.status();
            return null;
        } catch (RocksDBException e) {
            return e;
        }
    }

    byte[] key() {
        return iterator.key();
    }

    byte[] value() {
        return iterator.value();
    }

    /** The length of the value, as much of which is in the buffer as has room there. */
    int value(byte[] buffer) {
        return iterator.value(buffer);
    }

    @Override
    public void close() {
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
