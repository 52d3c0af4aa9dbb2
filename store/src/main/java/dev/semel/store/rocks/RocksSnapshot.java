package dev.semel.store.rocks;

import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.wire.memory.LargeValues;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDBException;

/** An engine snapshot. Unlike what {@link Snapshot} promises it may be read by many threads at a time. */
final class RocksSnapshot implements Snapshot {
    private final RocksStore store;
    private final org.rocksdb.Snapshot engine;
    private final long newestBatch;
    private final long clusterTime;

    /** Made for the first read: most snapshots, of which each commit leaves one, are never read, or by one kind of read. */
    private final AtomicReference<@Nullable ReadOptions> options = new AtomicReference<>();

    private final AtomicReference<@Nullable ReadOptions> cacheOnly = new AtomicReference<>();

    RocksSnapshot(RocksStore store, org.rocksdb.Snapshot engine, long newestBatch, long clusterTime) {
        this.store = store;
        this.engine = engine;
        this.newestBatch = newestBatch;
        this.clusterTime = clusterTime;
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        byte[] known = known(table, key);
        return known != null ? known : store.largeValues().held(read(table, key), () -> read(table, key));
    }

    private byte @Nullable [] read(Table table, byte[] key) {
        int ticket = store.usage().enter();
        try {
            return learnt(table, key, ColdReads.areForOthers() ? getCached(table, key) : getAnywhere(table, key));
        } finally {
            store.usage().exit(ticket);
        }
    }

    private byte @Nullable [] known(Table table, byte[] key) {
        return table == Table.DOCUMENTS ? store.caches().document(key, newestBatch) : null;
    }

    private byte @Nullable [] learnt(Table table, byte[] key, byte @Nullable [] value) {
        if (table == Table.DOCUMENTS && value != null) {
            store.caches().read(key, value, newestBatch);
        }
        return value;
    }

    /** All from the first on that is not in the cache are read by one other thread. */
    @Override
    public List<byte @Nullable []> get(Table table, List<byte[]> keys) {
        List<byte @Nullable []> values = new ArrayList<>(keys.size());
        int ticket = store.usage().enter();
        try {
            if (!ColdReads.areForOthers()) {
                addFromAnywhere(values, table, keys);
            } else if (!isAddedFromCache(values, table, keys)) {
                List<byte[]> left = List.copyOf(keys.subList(values.size(), keys.size()));
                store.coldReads()
                        .read(() -> addFromAnywhere(values, table, keys), () -> WarmUp.get(store, table, left));
            }
        } finally {
            store.usage().exit(ticket);
        }
        holdLast(values, table, keys);
        return values;
    }

    /** No other one can be large: behind it, nothing more was read. */
    private void holdLast(List<byte @Nullable []> values, Table table, List<byte[]> keys) {
        byte[] last = values.isEmpty() ? null : values.getLast();
        if (last != null && LargeValues.isLarge(last.length)) {
            values.removeLast();
            byte[] key = keys.get(values.size());
            values.add(store.largeValues().held(last, () -> read(table, key)));
        }
    }

    private boolean isAddedFromCache(List<byte @Nullable []> values, Table table, List<byte[]> keys) {
        try {
            add(values, table, keys, cacheOnly());
            return true;
        } catch (RocksDBException e) {
            if (ColdReads.isNeeded(e)) {
                return false;
            }
            throw RocksStore.failure("reading " + table, e);
        }
    }

    private List<byte @Nullable []> addFromAnywhere(List<byte @Nullable []> values, Table table, List<byte[]> keys) {
        try {
            add(values, table, keys, anywhere());
            return values;
        } catch (RocksDBException e) {
            throw RocksStore.failure("reading " + table, e);
        }
    }

    private void add(List<byte @Nullable []> values, Table table, List<byte[]> keys, ReadOptions how)
            throws RocksDBException {
        long bytes = 0;
        for (byte[] each : values) {
            bytes += each == null ? 0 : each.length;
        }
        for (int i = values.size(); i < keys.size() && bytes < TOGETHER_BYTES_MAX; i++) {
            byte[] key = keys.get(i);
            byte[] value = known(table, key);
            if (value == null) {
                value = learnt(table, key, store.engine().get(store.family(table), how, key));
            }
            values.add(value);
            bytes += value == null ? 0 : value.length;
        }
    }

    private byte @Nullable [] getCached(Table table, byte[] key) {
        try {
            return store.engine().get(store.family(table), cacheOnly(), key);
        } catch (RocksDBException e) {
            if (ColdReads.isNeeded(e)) {
                return store.coldReads()
                        .read(() -> getAnywhere(table, key), () -> WarmUp.get(store, table, List.of(key)));
            }
            throw RocksStore.failure("reading " + table, e);
        }
    }

    private byte @Nullable [] getAnywhere(Table table, byte[] key) {
        try {
            return store.engine().get(store.family(table), anywhere(), key);
        } catch (RocksDBException e) {
            throw RocksStore.failure("reading " + table, e);
        }
    }

    private ReadOptions anywhere() {
        return options(options, ReadTier.READ_ALL_TIER);
    }

    private ReadOptions cacheOnly() {
        return options(cacheOnly, ReadTier.BLOCK_CACHE_TIER);
    }

    private ReadOptions options(AtomicReference<@Nullable ReadOptions> known, ReadTier tier) {
        ReadOptions made = known.get();
        if (made != null) {
            return made;
        }
        ReadOptions fresh = new ReadOptions().setSnapshot(engine).setReadTier(tier);
        ReadOptions other = known.compareAndExchange(null, fresh);
        if (other == null) {
            return fresh;
        }
        fresh.close();
        return other;
    }

    @Override
    public Scan scan(Table table, KeyRange range, boolean reverse) {
        if (range.isEmpty()) {
            return new NoScan();
        }
        ScanCache scans = store.caches().scans();
        if (table != Table.INDEXES || !scans.canKnow(range)) {
            return open(table, range, reverse);
        }
        byte[] beginning = range.low();
        ScanCache.Entries known = scans.get(beginning, newestBatch);
        if (known != null && known.areOfUse(reverse)) {
            return new KnownScan(known, reverse, last -> open(table, range.above(last), false));
        }
        Scan scan = open(table, range, reverse);
        return known == null && scans.isWanted(beginning)
                ? new NotedScan(scan, reverse, scans, beginning, newestBatch)
                : scan;
    }

    private Scan open(Table table, KeyRange range, boolean reverse) {
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
        close(options.get());
        close(cacheOnly.get());
        store.engine().releaseSnapshot(engine);
    }

    private static void close(@Nullable ReadOptions made) {
        if (made != null) {
            made.close();
        }
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
        public boolean hasValuesAtHand() {
            return false;
        }

        @Override
        public void seek(byte[] key) {}

        @Override
        public void close() {}
    }
}
