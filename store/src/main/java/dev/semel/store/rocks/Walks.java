package dev.semel.store.rocks;

import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.CompactionJobInfo;
import org.rocksdb.ExternalFileIngestionInfo;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Walks that nobody uses at present: to make one costs more than a short scan does. A walk keeps the memory and the files that were
 * current when it began, so none is kept beyond a change of those.
 */
final class Walks {
    /** Of each table and tier. */
    private static final int KEPT_MAX = 8;

    private static final int TIERS = ReadTier.values().length;

    private static final int KINDS = Table.values().length * TIERS;

    private final AtomicReferenceArray<@Nullable Walk> kept = new AtomicReferenceArray<>(KINDS * KEPT_MAX);

    /** Counts the changes of files. */
    private final AtomicInteger era = new AtomicInteger();

    /** One that stands nowhere, for that range. */
    Walk take(
            RocksStore store,
            Table table,
            KeyRange range,
            boolean reverse,
            org.rocksdb.Snapshot snapshot,
            ReadTier tier) {
        if (Walk.isForMany(range)) {
            int first = first(table, tier);
            for (int i = first; i < first + KEPT_MAX; i++) {
                Walk found = kept.get(i) == null ? null : kept.getAndSet(i, null);
                if (found != null) {
                    return begun(found, range, reverse, snapshot);
                }
            }
        }
        return begun(new Walk(store, table, range, tier), range, reverse, snapshot);
    }

    private Walk begun(Walk walk, KeyRange range, boolean reverse, org.rocksdb.Snapshot snapshot) {
        try {
            walk.begin(range, reverse, snapshot, era.get());
            return walk;
        } catch (RocksDBException e) {
            walk.close();
            throw RocksStore.failure("scanning", e);
        }
    }

    private static int first(Table table, ReadTier tier) {
        return (table.index() * TIERS + tier.ordinal()) * KEPT_MAX;
    }

    void giveBack(RocksStore store, Walk walk) {
        // It holds the block at its place in each file, and a block is as large as the largest document in it.
        if (!walk.isReusable() || walk.era() != era.get() || store.isMuchPinned() || !isKept(walk)) {
            walk.close();
        } else if (walk.era() != era.get()) {
            // The change may have come between the look and the keeping.
            drop();
        }
    }

    private boolean isKept(Walk walk) {
        int first = first(walk.table(), walk.tier());
        for (int i = first; i < first + KEPT_MAX; i++) {
            if (kept.get(i) == null && kept.compareAndSet(i, null, walk)) {
                return true;
            }
        }
        return false;
    }

    int count() {
        int count = 0;
        for (int i = 0; i < kept.length(); i++) {
            count += kept.get(i) == null ? 0 : 1;
        }
        return count;
    }

    /** The files of those that are kept would stay. Under the store's usage. */
    void filesChanged() {
        era.incrementAndGet();
        drop();
    }

    /** Before the engine is closed, or under the store's usage. */
    void drop() {
        for (int i = 0; i < kept.length(); i++) {
            Walk idle = kept.getAndSet(i, null);
            if (idle != null) {
                idle.close();
            }
        }
    }

    /** Hears from the engine when files take the place of others or of memory. */
    static final class FileChanges extends AbstractEventListener {
        private final Walks walks;
        private final Usage usage;

        FileChanges(Walks walks, Usage usage) {
            super(
                    EnabledEventCallback.ON_FLUSH_COMPLETED,
                    EnabledEventCallback.ON_COMPACTION_COMPLETED,
                    EnabledEventCallback.ON_EXTERNAL_FILE_INGESTED);
            this.walks = walks;
            this.usage = usage;
        }

        @Override
        public void onFlushCompleted(RocksDB engine, FlushJobInfo job) {
            changed();
        }

        @Override
        public void onCompactionCompleted(RocksDB engine, CompactionJobInfo job) {
            changed();
        }

        @Override
        public void onExternalFileIngested(RocksDB engine, ExternalFileIngestionInfo job) {
            changed();
        }

        private void changed() {
            int ticket = usage.tryEnter();
            if (ticket != Usage.CLOSED) {
                try {
                    walks.filesChanged();
                } finally {
                    usage.exit(ticket);
                }
            }
        }
    }
}
