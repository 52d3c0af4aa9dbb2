package dev.semel.store.rocks;

import dev.semel.store.Batch;
import dev.semel.store.EngineException;
import dev.semel.store.LogPosition;
import dev.semel.store.Position;
import dev.semel.store.RowSource;
import dev.semel.store.Snapshot;
import dev.semel.store.Staged;
import dev.semel.store.Store;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.wire.FileFailure;
import dev.semel.wire.memory.LargeValues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.Options;
import org.rocksdb.Range;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** A store on disk. */
public final class RocksStore implements Store {
    private static final int FORMAT = 1;
    private static final byte[] FORMAT_KEY = ascii("format");
    private static final byte[] POSITION_KEY = ascii("clusterTime");
    private static final Table[] TABLES = Table.values();

    /** Up to here a batch is built in the heap: one native call instead of one for each row. */
    private static final long ENCODED_BYTES_MAX = 4 << 20;

    /** Beyond every key, for calls that want an end and only estimate. */
    private static final byte[] FAR_END = new byte[32];

    /** How often, and at which interval, closing checks whether all users have finished. */
    private static final int CLOSE_RECHECKS = 2000;

    private static final long RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    static {
        java.util.Arrays.fill(FAR_END, (byte) 0xFF);
    }

    private final DirectoryLock lock;
    private final EngineOptions options;
    private final RocksDB engine;
    private final ColumnFamilyHandle description;
    private final ColumnFamilyHandle[] families;
    private final int[] familyNumbers;
    private final WriteOptions unsynced;
    private final WriteOptions synced = new WriteOptions().setSync(true);
    private final Usage usage = new Usage();
    private final Compactions compactions = new Compactions();
    private final ColdReads coldReads = new ColdReads();
    private final DocumentCache documents;
    private final Ingestion ingestion;
    private final Set<RocksSnapshot> snapshots = ConcurrentHashMap.newKeySet();
    private final Set<RocksScan> scans = ConcurrentHashMap.newKeySet();
    private volatile Position position = Position.NONE;
    private volatile LargeValues largeValues = LargeValues.unlimited();

    private RocksStore(
            DirectoryLock lock,
            EngineOptions options,
            RocksDB engine,
            List<ColumnFamilyHandle> handles,
            Path directory) {
        this.lock = lock;
        this.options = options;
        this.unsynced = new WriteOptions().setSync(false).setDisableWAL(options.isScratch());
        this.engine = engine;
        this.description = handles.getFirst();
        this.families = handles.subList(1, handles.size()).toArray(ColumnFamilyHandle[]::new);
        this.familyNumbers = new int[families.length];
        for (int i = 0; i < families.length; i++) {
            familyNumbers[i] = families[i].getID();
        }
        this.ingestion = new Ingestion(this, options, directory);
        this.documents = new DocumentCache(options.documentCacheBytes());
    }

    /**
     * Opens a directory, which is made if it does not exist.
     *
     * @throws dev.semel.store.DirectoryInUse if it is open elsewhere
     * @throws EngineException if it cannot be read, or was not written by this version or one before it
     */
    public static RocksStore open(Path directory, RocksOptions limits) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new EngineException("cannot create the directory " + directory + ": " + reason(directory, e), e);
        }
        refuseForeign(directory);
        NativeLibrary.load();
        DirectoryLock lock = DirectoryLock.acquire(directory);
        EngineOptions options = null;
        RocksStore store = null;
        try {
            new Replacement(directory, () -> {}).finish();
            boolean isNew = !Files.exists(directory.resolve("CURRENT"));
            if (!isNew) {
                LogTail.cut(directory);
                checkFamilies(directory);
            }
            options = new EngineOptions(limits);
            List<ColumnFamilyHandle> handles = new ArrayList<>();
            RocksDB engine = RocksDB.open(options.database(), directory.toString(), descriptors(options), handles);
            store = new RocksStore(lock, options, engine, handles, directory);
            store.readDescription(directory, isNew);
            store.ingestion.recover();
            return store;
        } catch (RocksDBException | RuntimeException e) {
            if (store != null) {
                store.close();
            } else {
                if (options != null) {
                    options.close();
                }
                lock.close();
            }
            throw e instanceof RuntimeException thrown
                    ? thrown
                    : new EngineException("cannot open the directory " + directory + ": " + e.getMessage(), e);
        }
    }

    /**
     * Puts a {@link #checkpoint} into the place of what a directory holds, while nobody has it open. A crash leaves the old
     * data or the new, whole.
     */
    public static void replace(Path directory, Path checkpoint) {
        DirectoryLock lock = DirectoryLock.acquire(directory);
        try {
            Replacement replacement = new Replacement(directory, () -> {});
            replacement.finish();
            replacement.replace(checkpoint);
        } finally {
            lock.close();
        }
    }

    private static String reason(Path directory, IOException failure) {
        if (failure instanceof FileAlreadyExistsException) {
            return "it is not a folder";
        }
        // The folder above it may be the one at fault.
        return failure instanceof FileSystemException named
                        && named.getFile() != null
                        && !directory.endsWith(named.getFile())
                ? named.getFile() + ": " + FileFailure.reason(failure)
                : FileFailure.reason(failure);
    }

    /** A configuration file of mongod names mongod's data: starting empty among it would look like its loss. */
    private static void refuseForeign(Path directory) {
        if (Files.exists(directory.resolve("WiredTiger")) && !Files.exists(directory.resolve("CURRENT"))) {
            throw new EngineException(
                    "the directory " + directory + " holds the data of a mongod, which Semel cannot read");
        }
    }

    private static List<ColumnFamilyDescriptor> descriptors(EngineOptions options) {
        List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
        descriptors.add(options.description(RocksDB.DEFAULT_COLUMN_FAMILY));
        for (Table table : TABLES) {
            descriptors.add(options.family(ascii(name(table)), table));
        }
        return descriptors;
    }

    /** A table that we do not know would be left out of every batch's order; better not to touch it. */
    private static void checkFamilies(Path directory) throws RocksDBException {
        Set<String> unknown = new TreeSet<>();
        try (Options plain = new Options()) {
            for (byte[] each : RocksDB.listColumnFamilies(plain, directory.toString())) {
                unknown.add(new String(each, StandardCharsets.UTF_8));
            }
        }
        unknown.remove(new String(RocksDB.DEFAULT_COLUMN_FAMILY, StandardCharsets.UTF_8));
        for (Table table : TABLES) {
            unknown.remove(name(table));
        }
        if (!unknown.isEmpty()) {
            throw new EngineException("the directory " + directory
                    + " was not written by this version of Semel: it holds the tables " + unknown);
        }
    }

    private void readDescription(Path directory, boolean isNew) throws RocksDBException {
        byte[] format = engine.get(description, FORMAT_KEY);
        if (format == null) {
            // A directory whose making was cut short has no format either, and nothing else.
            if (!isNew && engine.getLatestSequenceNumber() > 0) {
                throw new EngineException("the directory " + directory + " was not written by Semel");
            }
            engine.put(
                    description,
                    synced,
                    FORMAT_KEY,
                    ByteBuffer.allocate(4).putInt(FORMAT).array());
        } else if (ByteBuffer.wrap(format).getInt() != FORMAT) {
            throw new EngineException("the directory %s has the format %d, this version of Semel reads %d"
                    .formatted(directory, ByteBuffer.wrap(format).getInt(), FORMAT));
        }
        byte[] stored = engine.get(description, POSITION_KEY);
        if (stored != null) {
            position = position(ByteBuffer.wrap(stored));
        }
    }

    @Override
    public Snapshot snapshot(long clusterTime) {
        int ticket = usage.enter();
        try {
            long newestBatch = documents.newestBatch();
            RocksSnapshot snapshot = new RocksSnapshot(this, engine.getSnapshot(), newestBatch, clusterTime);
            snapshots.add(snapshot);
            return snapshot;
        } finally {
            usage.exit(ticket);
        }
    }

    @Override
    public long write(Batch batch, boolean sync) {
        int ticket = usage.enter();
        documents.writing(batch);
        try (WriteBatch encoded = nativeBatch(batch)) {
            if (batch.staged() instanceof StagedFiles staged) {
                ingestion.write(encoded, staged, synced);
            } else {
                engine.write(sync ? synced : unsynced, encoded);
            }
            documents.renew(batch);
        } catch (RocksDBException e) {
            throw failure("writing", e);
        } finally {
            documents.written();
            usage.exit(ticket);
        }
        if (hasPosition(batch)) {
            position = batch.position();
        }
        return 0;
    }

    @Override
    public long heapBytes() {
        return 0;
    }

    /** A large batch is not copied in the heap first, which would have no room for it; an array has a limit as well. */
    private WriteBatch nativeBatch(Batch batch) throws RocksDBException {
        if (batch.bytes() <= ENCODED_BYTES_MAX) {
            return new WriteBatch(encode(batch));
        }
        RowBatch rows = new RowBatch(families, this::lastKey);
        boolean filled = false;
        try {
            batch.applyTo(rows);
            if (hasPosition(batch)) {
                rows.batch().put(description, POSITION_KEY, bytes(batch.position()));
            }
            filled = true;
            return rows.batch();
        } finally {
            if (!filled) {
                rows.batch().close();
            }
        }
    }

    private static boolean hasPosition(Batch batch) {
        return !batch.position().equals(Position.NONE);
    }

    private static byte[] bytes(Position position) {
        return ByteBuffer.allocate(5 * Long.BYTES)
                .putLong(position.clusterTime())
                .putLong(position.term())
                .putLong(position.sequence())
                .putLong(position.log().term())
                .putLong(position.log().index())
                .array();
    }

    /** Directories of the first release have the cluster time alone. */
    private static Position position(ByteBuffer stored) {
        long clusterTime = stored.getLong();
        return stored.hasRemaining()
                ? new Position(
                        stored.getLong(),
                        stored.getLong(),
                        clusterTime,
                        new LogPosition(stored.getLong(), stored.getLong()))
                : new Position(0, 0, clusterTime);
    }

    private byte[] encode(Batch batch) {
        int expected = Math.toIntExact(batch.bytes() + 16L * batch.size() + 64);
        BatchBytes bytes = new BatchBytes(familyNumbers, this::lastKey, expected);
        batch.applyTo(bytes);
        if (hasPosition(batch)) {
            bytes.putMeta(description.getID(), POSITION_KEY, bytes(batch.position()));
        }
        return bytes.finish();
    }

    private byte @Nullable [] lastKey(Table table) {
        try (RocksIterator iterator = engine.newIterator(family(table))) {
            iterator.seekToLast();
            if (iterator.isValid()) {
                return iterator.key();
            }
            iterator.status();
            return null;
        } catch (RocksDBException e) {
            throw failure("reading " + table, e);
        }
    }

    @Override
    public Store scratch(Path directory) {
        return open(directory, RocksOptions.scratch());
    }

    @Override
    public Staged stage(RowSource rows) {
        int ticket = usage.enter();
        try {
            return ingestion.stage(rows);
        } finally {
            usage.exit(ticket);
        }
    }

    @Override
    public void syncLog() {
        int ticket = usage.enter();
        try {
            engine.syncWal();
        } catch (RocksDBException e) {
            throw failure("syncing the log", e);
        } finally {
            usage.exit(ticket);
        }
    }

    @Override
    public boolean isPersistent() {
        return true;
    }

    @Override
    public Position position() {
        return position;
    }

    @Override
    public long approximateBytes(Table table, KeyRange range) {
        if (range.isEmpty()) {
            return 0;
        }
        int ticket = usage.enter();
        try {
            return approximateBytes(
                    table, range, SizeApproximationFlag.INCLUDE_FILES, SizeApproximationFlag.INCLUDE_MEMTABLES);
        } finally {
            usage.exit(ticket);
        }
    }

    private long approximateBytes(Table table, KeyRange range, SizeApproximationFlag... parts) {
        try (Slice low = new Slice(range.low());
                Slice high = new Slice(end(range))) {
            return engine.getApproximateSizes(family(table), List.of(new Range(low, high)), parts)[0];
        }
    }

    /** Of the whole table the engine knows which share is obsolete; a range is taken to be like it. */
    @Override
    public long reclaimableBytes(Table table, KeyRange range) {
        if (range.isEmpty()) {
            return 0;
        }
        int ticket = usage.enter();
        try {
            long inFiles = approximateBytes(table, range, SizeApproximationFlag.INCLUDE_FILES);
            long all = engine.getLongProperty(family(table), "rocksdb.total-sst-files-size");
            long live = engine.getLongProperty(family(table), "rocksdb.estimate-live-data-size");
            return all <= live ? 0 : (long) (inFiles * ((double) (all - live) / all));
        } catch (RocksDBException e) {
            throw failure("estimating " + table, e);
        } finally {
            usage.exit(ticket);
        }
    }

    @Override
    public long compact(Table table, KeyRange range) {
        if (range.isEmpty()) {
            return 0;
        }
        int ticket = usage.enter();
        CompactRangeOptions options = compactions.begin();
        try {
            long before = approximateBytes(table, range);
            engine.compactRange(family(table), range.low(), end(range), options);
            return before - approximateBytes(table, range);
        } catch (RocksDBException e) {
            throw failure("compacting " + table, e);
        } finally {
            compactions.end(options);
            usage.exit(ticket);
        }
    }

    /** Entries in files are not counted anywhere by range, so they are taken to be as large as the table's average. */
    @Override
    public long approximateCount(Table table, KeyRange range) {
        if (range.isEmpty()) {
            return 0;
        }
        int ticket = usage.enter();
        try (Slice low = new Slice(range.low());
                Slice high = new Slice(end(range))) {
            long inMemory = engine.getApproximateMemTableStats(family(table), new Range(low, high)).count;
            long fileBytes = approximateBytes(table, range, SizeApproximationFlag.INCLUDE_FILES);
            if (fileBytes == 0) {
                return inMemory;
            }
            long tableBytes = engine.getLongProperty(family(table), "rocksdb.total-sst-files-size");
            long tableCount = engine.getLongProperty(family(table), "rocksdb.estimate-num-keys")
                    - engine.getLongProperty(family(table), "rocksdb.num-entries-active-mem-table")
                    - engine.getLongProperty(family(table), "rocksdb.num-entries-imm-mem-tables");
            double share = Math.min(1.0, (double) fileBytes / Math.max(1, tableBytes));
            return inMemory + Math.max(1, (long) (share * Math.max(0, tableCount)));
        } catch (RocksDBException e) {
            throw failure("estimating " + table, e);
        } finally {
            usage.exit(ticket);
        }
    }

    private static byte[] end(KeyRange range) {
        byte[] high = range.high();
        return high == null ? FAR_END : high;
    }

    @Override
    public void checkpoint(Path directory) {
        int ticket = usage.enter();
        try (Checkpoint checkpoint = Checkpoint.create(engine)) {
            ingestion.whileIdle(() -> checkpoint.createCheckpoint(directory.toString()));
        } catch (RocksDBException e) {
            throw failure("writing a checkpoint to " + directory, e);
        } finally {
            usage.exit(ticket);
        }
    }

    @Override
    public SortedMap<String, Long> figures() {
        SortedMap<String, Long> figures = new TreeMap<>();
        int ticket = usage.enter();
        try {
            for (Table table : TABLES) {
                figures.put(
                        name(table) + "Bytes",
                        engine.getLongProperty(family(table), "rocksdb.estimate-live-data-size")
                                + engine.getLongProperty(family(table), "rocksdb.cur-size-all-mem-tables"));
            }
            for (Map.Entry<String, String> each : FIGURES.entrySet()) {
                figures.put(each.getKey(), engine.getLongProperty(each.getValue()));
            }
            for (Map.Entry<String, String> each : SUMS.entrySet()) {
                figures.put(each.getKey(), engine.getAggregatedLongProperty(each.getValue()));
            }
            figures.put("cacheBytes", options.cache().getUsage());
            figures.put("cachePinnedBytes", options.cache().getPinnedUsage());
            figures.put("coldReads", coldReads.count());
            figures.put("documentCacheBytes", documents.bytes());
            figures.put("documentCacheHits", documents.hits());
            figures.put("openScans", (long) scans.size());
            figures.put("openSnapshots", (long) snapshots.size());
        } catch (RocksDBException e) {
            throw failure("reading figures", e);
        } finally {
            usage.exit(ticket);
        }
        return figures;
    }

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

    @Override
    public void close() {
        for (int i = 0; i < CLOSE_RECHECKS && !(snapshots.isEmpty() && scans.isEmpty()); i++) {
            LockSupport.parkNanos(RECHECK_NANOS);
        }
        compactions.cancel();
        if (!usage.close()) {
            return;
        }
        coldReads.close();
        scans.forEach(RocksScan::dispose);
        snapshots.forEach(RocksSnapshot::dispose);
        try {
            if (!options.isScratch()) {
                engine.syncWal();
            }
        } catch (RocksDBException e) {
            throw failure("closing", e);
        } finally {
            for (ColumnFamilyHandle each : families) {
                each.close();
            }
            description.close();
            engine.close();
            unsynced.close();
            synced.close();
            options.close();
            lock.close();
        }
    }

    RocksDB engine() {
        return engine;
    }

    Usage usage() {
        return usage;
    }

    Ingestion ingestion() {
        return ingestion;
    }

    DocumentCache documents() {
        return documents;
    }

    @Override
    public void countLarge(LargeValues values) {
        largeValues = values;
    }

    LargeValues largeValues() {
        return largeValues;
    }

    ColdReads coldReads() {
        return coldReads;
    }

    ColumnFamilyHandle description() {
        return description;
    }

    ColumnFamilyHandle family(Table table) {
        return families[table.index()];
    }

    void opened(RocksScan scan) {
        scans.add(scan);
    }

    /** Closing what the store has closed already, or closing twice, is allowed. */
    void release(RocksScan scan) {
        int ticket = usage.tryEnter();
        if (ticket != Usage.CLOSED) {
            try {
                if (scans.remove(scan)) {
                    scan.dispose();
                }
            } finally {
                usage.exit(ticket);
            }
        }
    }

    void release(RocksSnapshot snapshot) {
        int ticket = usage.tryEnter();
        if (ticket != Usage.CLOSED) {
            try {
                if (snapshots.remove(snapshot)) {
                    snapshot.dispose();
                }
            } finally {
                usage.exit(ticket);
            }
        }
    }

    static EngineException failure(String doing, RocksDBException cause) {
        return new EngineException("the storage engine failed at " + doing + ": " + cause.getMessage(), cause);
    }

    static String name(Table table) {
        return table.name().toLowerCase(Locale.ROOT);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
