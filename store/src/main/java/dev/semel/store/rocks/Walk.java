package dev.semel.store.rocks;

import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.DirectSlice;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * An iterator of the engine over a range in one direction, with the native objects that takes; then over another one. The engine
 * gets the bounds, so that it neither reads nor merges what lies beyond, deleted entries above all.
 */
final class Walk implements AutoCloseable {
    private static final byte[] NOTHING = {};

    /** Of the bounds of a walk for many ranges. */
    private static final int BOUND_BYTES = 512;

    private final Table table;
    private final ReadTier tier;
    private final ReadOptions options;
    private final Bound lower;
    private final @Nullable Bound upper;
    private final RocksIterator iterator;
    private KeyRange range;
    private boolean reverse;
    private boolean isReusable;
    private int era;

    /** A key that the engine reads where it is, and that may change while the walk stands nowhere. */
    private static final class Bound implements AutoCloseable {
        final ByteBuffer bytes;
        final DirectSlice slice;

        /** In memory that closing gives back: that of a buffer from Java would wait for the collector, scan after scan. */
        Bound(int room) {
            this.slice = new DirectSlice("x".repeat(Math.max(1, room)));
            this.bytes = slice.data();
        }

        void set(byte[] key) {
            bytes.put(0, key);
            slice.setLength(key.length);
        }

        @Override
        public void close() {
            slice.close();
        }
    }

    /** Has to {@link #begin}. */
    Walk(RocksStore store, Table table, KeyRange range, ReadTier tier) {
        this.table = table;
        this.tier = tier;
        this.range = range;
        byte[] high = range.high();
        isReusable = isForMany(range);
        options = new ReadOptions().setReadTier(tier);
        lower = new Bound(isReusable ? BOUND_BYTES : range.low().length);
        options.setIterateLowerBound(lower.slice);
        upper = high == null ? null : new Bound(isReusable ? BOUND_BYTES : high.length);
        if (upper != null) {
            options.setIterateUpperBound(upper.slice);
        }
        iterator = store.engine().newIterator(store.family(table), options);
    }

    /** Whether a walk over this range can serve others afterwards: one that has an end, and bounds that are not long. */
    static boolean isForMany(KeyRange range) {
        byte[] high = range.high();
        return high != null && high.length <= BOUND_BYTES && range.low().length <= BOUND_BYTES;
    }

    /** @param era the state of the files */
    void begin(KeyRange range, boolean reverse, org.rocksdb.Snapshot snapshot, int era) throws RocksDBException {
        this.range = range;
        this.reverse = reverse;
        this.era = era;
        // Only walking backwards leads there.
        lower.set(reverse ? range.low() : NOTHING);
        byte[] high = range.high();
        if (upper != null && high != null) {
            upper.set(high);
        }
        iterator.refresh(snapshot);
    }

    Table table() {
        return table;
    }

    ReadTier tier() {
        return tier;
    }

    /** When it began. */
    int era() {
        return era;
    }

    boolean isReusable() {
        return isReusable;
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
            isReusable = false;
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
        lower.close();
        if (upper != null) {
            upper.close();
        }
    }
}
