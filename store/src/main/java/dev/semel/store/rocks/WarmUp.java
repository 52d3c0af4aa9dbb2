package dev.semel.store.rocks;

import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.util.List;
import java.util.function.Consumer;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDBException;

/**
 * Reads into the cache what a statement that has been given up will look for there when it begins again. What that statement had
 * open is closed by now, so this takes a snapshot of its own; values are not copied.
 */
final class WarmUp {
    private static final byte[] NOTHING = {};

    private WarmUp() {}

    /** As many values as are read together. */
    static void get(RocksStore store, Table table, List<byte[]> keys) {
        int ticket = store.usage().enter();
        try {
            long bytes = 0;
            for (int i = 0; i < keys.size() && bytes < Snapshot.TOGETHER_BYTES_MAX; i++) {
                bytes += Math.max(0, store.engine().get(store.family(table), keys.get(i), NOTHING));
            }
        } catch (RocksDBException e) {
            throw RocksStore.failure("reading " + table, e);
        } finally {
            store.usage().exit(ticket);
        }
    }

    static void walk(RocksStore store, Table table, KeyRange range, boolean reverse, Consumer<Walk> way) {
        int ticket = store.usage().enter();
        try {
            org.rocksdb.Snapshot now = store.engine().getSnapshot();
            try {
                Walk walk = store.walks().take(store, table, range, reverse, now, ReadTier.READ_ALL_TIER);
                try {
                    way.accept(walk);
                } finally {
                    store.walks().giveBack(store, walk);
                }
            } finally {
                store.engine().releaseSnapshot(now);
            }
        } finally {
            store.usage().exit(ticket);
        }
    }
}
