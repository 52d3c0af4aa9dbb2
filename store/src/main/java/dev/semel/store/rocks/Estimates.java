package dev.semel.store.rocks;

import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Range;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;

/** What the engine can say of its data without reading it; no range is empty. */
final class Estimates {
    /** Beyond every key, for calls that want an end and only estimate. */
    private static final byte[] FAR_END = new byte[32];

    private static final Map<String, String> FIGURES = Map.of(
            "backgroundErrors", "rocksdb.background-errors",
            "oldestSnapshotEpochSeconds", "rocksdb.oldest-snapshot-time",
            "runningCompactions", "rocksdb.num-running-compactions",
            "runningFlushes", "rocksdb.num-running-flushes",
            "writesDelayed", "rocksdb.actual-delayed-write-rate",
            "writesStopped", "rocksdb.is-write-stopped");

    private static final Map<String, String> SUMS = Map.of(
            "fileBytes", "rocksdb.total-sst-files-size",
            "pendingCompactionBytes", "rocksdb.estimate-pending-compaction-bytes",
            "writeBufferBytes", "rocksdb.cur-size-all-mem-tables");

    static {
        Arrays.fill(FAR_END, (byte) 0xFF);
    }

    private final RocksDB engine;
    private final ColumnFamilyHandle[] families;

    Estimates(RocksDB engine, ColumnFamilyHandle[] families) {
        this.engine = engine;
        this.families = families;
    }

    static byte[] end(KeyRange range) {
        byte @Nullable [] high = range.high();
        return high == null ? FAR_END : high;
    }

    private ColumnFamilyHandle family(Table table) {
        return families[table.index()];
    }

    long bytes(Table table, KeyRange range) {
        return bytes(table, range, SizeApproximationFlag.INCLUDE_FILES, SizeApproximationFlag.INCLUDE_MEMTABLES);
    }

    private long fileBytes(Table table, KeyRange range) {
        return bytes(table, range, SizeApproximationFlag.INCLUDE_FILES);
    }

    private long bytes(Table table, KeyRange range, SizeApproximationFlag... parts) {
        try (Slice low = new Slice(range.low());
                Slice high = new Slice(end(range))) {
            return engine.getApproximateSizes(family(table), List.of(new Range(low, high)), parts)[0];
        }
    }

    /** Of the whole table the engine knows which share is obsolete; a range is taken to be like it. */
    long reclaimableBytes(Table table, KeyRange range) throws RocksDBException {
        long inFiles = fileBytes(table, range);
        long all = engine.getLongProperty(family(table), "rocksdb.total-sst-files-size");
        long live = engine.getLongProperty(family(table), "rocksdb.estimate-live-data-size");
        return all <= live ? 0 : (long) (inFiles * ((double) (all - live) / all));
    }

    /** Entries in files are not counted anywhere by range, so they are taken to be as large as the table's average. */
    long count(Table table, KeyRange range) throws RocksDBException {
        try (Slice low = new Slice(range.low());
                Slice high = new Slice(end(range))) {
            long inMemory = engine.getApproximateMemTableStats(family(table), new Range(low, high)).count;
            long fileBytes = fileBytes(table, range);
            if (fileBytes == 0) {
                return inMemory;
            }
            long tableBytes = engine.getLongProperty(family(table), "rocksdb.total-sst-files-size");
            long tableCount = engine.getLongProperty(family(table), "rocksdb.estimate-num-keys")
                    - engine.getLongProperty(family(table), "rocksdb.num-entries-active-mem-table")
                    - engine.getLongProperty(family(table), "rocksdb.num-entries-imm-mem-tables");
            double share = Math.min(1.0, (double) fileBytes / Math.max(1, tableBytes));
            return inMemory + Math.max(1, (long) (share * Math.max(0, tableCount)));
        }
    }

    void addFigures(Map<String, Long> figures) throws RocksDBException {
        for (Table table : Table.values()) {
            figures.put(
                    RocksStore.name(table) + "Bytes",
                    engine.getLongProperty(family(table), "rocksdb.estimate-live-data-size")
                            + engine.getLongProperty(family(table), "rocksdb.cur-size-all-mem-tables"));
        }
        for (Map.Entry<String, String> each : FIGURES.entrySet()) {
            figures.put(each.getKey(), engine.getLongProperty(each.getValue()));
        }
        for (Map.Entry<String, String> each : SUMS.entrySet()) {
            figures.put(each.getKey(), engine.getAggregatedLongProperty(each.getValue()));
        }
    }
}
