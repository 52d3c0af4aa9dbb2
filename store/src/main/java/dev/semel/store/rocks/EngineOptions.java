package dev.semel.store.rocks;

import dev.semel.store.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WALRecoveryMode;

/** How the engine is set up, and the native objects that takes. Closed after the engine. */
final class EngineOptions implements AutoCloseable {
    private static final double HIGH_PRIORITY_SHARE = 0.4;

    /**
     * The engine divides its cache, and does not keep a block that is larger than a part. Left to itself it makes parts of
     * 512 KB; the filter of a file of 64 MB with short entries has several megabytes, and would be read for each find.
     */
    private static final long SHARD_BYTES_MIN = 32 << 20;

    private static final long SHARDS_MAX = 64;

    /** This part of the cache may hold what cannot leave it while walks are kept that nobody uses. */
    private static final long PINNED_SHARE = 8;

    /**
     * The engine rewrites each file at the bottom once more when no snapshot shows what was replaced in it, and does not look
     * whether anything was. In the oplog nothing ever is.
     */
    private static final Duration NEVER = Duration.ofDays(3650);

    /** In the order of their making, each depending at most on those before it. */
    private final List<AbstractNativeReference> owned = new ArrayList<>();

    private final Map<Table, ColumnFamilyOptions> tables = new EnumMap<>(Table.class);
    private final RocksOptions limits;
    private final LRUCache cache;
    private final @Nullable BloomFilter bloom;
    private final DBOptions database;

    EngineOptions(RocksOptions limits, AbstractEventListener listener) {
        this.limits = limits;
        this.cache = own(new LRUCache(limits.cacheBytes(), shardBits(limits.cacheBytes()), false, HIGH_PRIORITY_SHARE));
        int bits = limits.files().bloomBitsPerKey();
        this.bloom = bits == 0 ? null : own(new BloomFilter(bits));
        this.database = own(databaseOptions().setListeners(List.of(own(listener))));
    }

    /** As many shards, as a power of two, as leave each room for the largest filter of a file. */
    private static int shardBits(long cacheBytes) {
        long shards = Math.clamp(cacheBytes / SHARD_BYTES_MIN, 1, SHARDS_MAX);
        return Long.SIZE - 1 - Long.numberOfLeadingZeros(shards);
    }

    private <T extends AbstractNativeReference> T own(T object) {
        owned.add(object);
        return object;
    }

    DBOptions database() {
        return database;
    }

    /** What is written need not survive the process. */
    boolean isScratch() {
        return limits.isScratch();
    }

    long journalBytesMax() {
        return limits.journalBytesMax();
    }

    long documentCacheBytes() {
        return limits.documentCacheBytes();
    }

    LRUCache cache() {
        return cache;
    }

    long pinnedBytesMax() {
        return limits.cacheBytes() / PINNED_SHARE;
    }

    private DBOptions databaseOptions() {
        return new DBOptions()
                .setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setMaxBackgroundJobs(limits.backgroundJobs())
                .setDbWriteBufferSize(limits.writeBufferBytes())
                // The journal has what is in memory.
                .setAvoidFlushDuringShutdown(true)
                // All tables as of one batch, because there is one journal for all.
                .setAtomicFlush(true)
                // Its own log is empty, unless the directory was written by an earlier version, and a power loss may
                // have
                // left anything behind the last sync of that. The replay ends at the first damage, for all column
                // families alike, because they share one log.
                .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
                // One writer: what makes many writers faster only costs here, and unordered writes would break
                // snapshots.
                .setEnablePipelinedWrite(false)
                .setUnorderedWrite(false)
                .setAllowConcurrentMemtableWrite(false)
                .setEnableWriteThreadAdaptiveYield(false)
                // Dropping the last reader of a file must not make that reader delete it.
                .setAvoidUnnecessaryBlockingIO(true)
                .setBytesPerSync(1 << 20)
                .setMaxOpenFiles(limits.openFilesMax())
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(5)
                .setMaxLogFileSize(10 << 20)
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0);
    }

    ColumnFamilyDescriptor family(byte[] name, Table table) {
        // The oplog is read by scans and with keys that exist.
        boolean pointReads = table != Table.OPLOG;
        ColumnFamilyOptions family = own(familyOptions(pointReads));
        tables.put(table, family);
        return new ColumnFamilyDescriptor(name, family);
    }

    ColumnFamilyDescriptor description(byte[] name) {
        return new ColumnFamilyDescriptor(name, own(familyOptions(true)));
    }

    /** For a file that the engine will take into a table. The caller closes them. */
    Options file(Table table) {
        return new Options(database, tables.get(table));
    }

    private ColumnFamilyOptions familyOptions(boolean pointReads) {
        Duration rewritten = pointReads ? Duration.ZERO : NEVER;
        Properties withoutSetter = new Properties();
        withoutSetter.setProperty("bottommost_file_compaction_delay", Long.toString(rewritten.toSeconds()));
        BlockBasedTableConfig blocks = new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setBlockSize(limits.files().blockBytes())
                .setFormatVersion(6)
                // Index and filter blocks count as cache, so memory has one limit, and are the last to go.
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setOptimizeFiltersForMemory(true);
        if (pointReads) {
            blocks.setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash);
            if (bloom != null) {
                blocks.setFilterPolicy(bloom);
            }
        }
        return ColumnFamilyOptions.getColumnFamilyOptionsFromProps(withoutSetter)
                .setTableFormatConfig(blocks)
                .setCompressionType(limits.files().compression().type())
                .setWriteBufferSize(Math.max(1 << 20, limits.writeBufferBytes() / 4))
                .setMaxWriteBufferNumber(4)
                .setLevelCompactionDynamicLevelBytes(true);
    }

    @Override
    public void close() {
        for (AbstractNativeReference each : owned.reversed()) {
            each.close();
        }
    }
}
