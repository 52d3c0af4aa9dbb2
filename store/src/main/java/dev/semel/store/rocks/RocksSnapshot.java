package dev.semel.store.rocks;

import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDBException;

/** An engine snapshot. Unlike what {@link Snapshot} promises it may be read by many threads at a time. */
final class RocksSnapshot implements Snapshot {
    private final RocksStore store;
    private final org.rocksdb.Snapshot engine;
    private final ReadOptions options;
    private final ReadOptions cacheOnly;
    private final long clusterTime;

    RocksSnapshot(RocksStore store, org.rocksdb.Snapshot engine, long clusterTime) {
        this.store = store;
        this.engine = engine;
        this.options = new ReadOptions().setSnapshot(engine);
        this.cacheOnly = new ReadOptions().setSnapshot(engine).setReadTier(ReadTier.BLOCK_CACHE_TIER);
        this.clusterTime = clusterTime;
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        int ticket = store.usage().enter();
        try {
            return ColdReads.areForOthers() ? getCached(table, key) : getAnywhere(table, key);
        } finally {
            store.usage().exit(ticket);
        }
    }

    private byte @Nullable [] getCached(Table table, byte[] key) {
        try {
            return store.engine().get(store.family(table), cacheOnly, key);
        } catch (RocksDBException e) {
            if (ColdReads.isNeeded(e)) {
                return store.coldReads().read(() -> getAnywhere(table, key));
            }
            throw RocksStore.failure("reading " + table, e);
        }
    }

    private byte @Nullable [] getAnywhere(Table table, byte[] key) {
        try {
            return store.engine().get(store.family(table), options, key);
        } catch (RocksDBException e) {
            throw RocksStore.failure("reading " + table, e);
        }
    }

    @Override
    public Scan scan(Table table, KeyRange range, boolean reverse) {
        if (range.isEmpty()) {
            return new NoScan();
        }
        int ticket = store.usage().enter();
        try {
            return RocksScan.open(store, table, range, reverse, engine);
        } finally {
            store.usage().exit(ticket);
        }
    }

    @Override
    public long clusterTime() {
        return clusterTime;
    }

    @Override
    public void close() {
        store.release(this);
    }

    /** Under the store's usage, and once. */
    void dispose() {
        options.close();
        cacheOnly.close();
        store.engine().releaseSnapshot(engine);
    }

    /** Of an empty range, which the engine does not accept. */
    private record NoScan() implements Scan {
        @Override
        public boolean next() {
            return false;
        }

        @Override
        public byte[] key() {
            throw new IllegalStateException("not on an entry");
        }

        @Override
        public byte[] value() {
            throw new IllegalStateException("not on an entry");
        }

        @Override
        public byte[] transientValue() {
            throw new IllegalStateException("not on an entry");
        }

        @Override
        public void seek(byte[] key) {}

        @Override
        public void close() {}
    }
}
