package dev.semel.store.rocks;

import dev.semel.store.Batch;
import dev.semel.store.EngineException;
import dev.semel.store.Position;
import dev.semel.store.RowSource;
import dev.semel.store.Snapshot;
import dev.semel.store.Staged;
import dev.semel.store.Store;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.wire.memory.LargeValues;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** A store on disk. */
public final class RocksStore implements Store {
    /** Up to here a batch is built in the heap: one native call instead of one for each row. */
    private static final long ENCODED_BYTES_MAX = 4 << 20;

    /** How often, and at which interval, closing checks whether all users have finished. */
    private static final int CLOSE_RECHECKS = 2000;

    private static final long RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final DirectoryLock lock;
    private final EngineOptions options;
    private final RocksDB engine;
    private final ColumnFamilyHandle description;
    private final ColumnFamilyHandle[] families;
    private final int[] familyNumbers;

    /** The journal has it already. */
    private final WriteOptions unlogged = new WriteOptions().setDisableWAL(true);

    /** Null in a scratch store, which is empty after a crash. */
    private final @Nullable Journal journal;

    private final Usage usage;
    private final Walks walks;
    private final Path directory;
    private final Compactions compactions = new Compactions();
    private final ColdReads coldReads = new ColdReads();
    private final ReadCaches caches;
    private final Estimates estimates;
    private final Ingestion ingestion;
    private final RetiredRanges retired;

    /** The engine gets batches in the order of the journal. */
    private final ReentrantLock writing = new ReentrantLock();

    private final Set<RocksSnapshot> snapshots = ConcurrentHashMap.newKeySet();
    private final Set<RocksScan> scans = ConcurrentHashMap.newKeySet();
    private volatile Position position = Position.NONE;
    private volatile LargeValues largeValues = LargeValues.unlimited();

    private RocksStore(
            DirectoryLock lock,
            EngineOptions options,
            Usage usage,
            Walks walks,
            RocksDB engine,
            List<ColumnFamilyHandle> handles,
            Path directory) {
        this.lock = lock;
        this.directory = directory;
        this.options = options;
        this.usage = usage;
        this.walks = walks;
        this.engine = engine;
        this.description = handles.getFirst();
        this.families = handles.subList(1, handles.size()).toArray(ColumnFamilyHandle[]::new);
        this.familyNumbers = new int[families.length];
        for (int i = 0; i < families.length; i++) {
            familyNumbers[i] = families[i].getID();
        }
        this.journal = options.isScratch() ? null : new Journal(directory, new Tables(), options.journalBytesMax());
        this.ingestion = new Ingestion(this, options, directory);
        this.estimates = new Estimates(engine, families);
        this.retired = new RetiredRanges(engine, description, families, this::syncJournal);
        this.caches = new ReadCaches(options.documentCacheBytes());
    }

    /**
     * Opens a directory, which is made if it does not exist.
     *
     * @throws dev.semel.store.DirectoryInUse if it is open elsewhere
     * @throws EngineException if it cannot be read, or was not written by this version or one before it
     */
    public static RocksStore open(Path directory, RocksOptions limits) {
        DataDirectory.prepare(directory);
        NativeLibrary.load();
        DirectoryLock lock = DirectoryLock.acquire(directory);
        EngineOptions options = null;
        RocksStore store = null;
        try {
            new Replacement(directory, () -> {}).finish();
            boolean isNew = !Files.exists(directory.resolve("CURRENT"));
            if (!isNew) {
                LogTail.cut(directory);
                DataDirectory.checkFamilies(directory);
            }
            Usage usage = new Usage();
            Walks walks = new Walks();
            options = new EngineOptions(limits, new Walks.FileChanges(walks, usage));
            List<ColumnFamilyHandle> handles = new ArrayList<>();
            RocksDB engine = RocksDB.open(options.database(), directory.toString(), descriptors(options), handles);
            store = new RocksStore(lock, options, usage, walks, engine, handles, directory);
            if (!Description.hasFormat(engine, store.description, directory, isNew)) {
                Description.putFormat(engine, store.description, store.unlogged);
                store.flush(true);
            }
            store.recover();
            store.position = Description.position(engine, store.description);
            store.ingestion.recover();
            store.retired.load();
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

    private static List<ColumnFamilyDescriptor> descriptors(EngineOptions options) {
        List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
        descriptors.add(options.description(RocksDB.DEFAULT_COLUMN_FAMILY));
        for (Table table : Table.values()) {
            descriptors.add(options.family(name(table).getBytes(StandardCharsets.US_ASCII), table));
        }
        return descriptors;
    }

    @Override
    public Snapshot snapshot(long clusterTime) {
        int ticket = usage.enter();
        try {
            long newestBatch = caches.newestBatch();
            RocksSnapshot snapshot = new RocksSnapshot(this, engine.getSnapshot(), newestBatch, clusterTime);
            snapshots.add(snapshot);
            return snapshot;
        } finally {
            usage.exit(ticket);
        }
    }

    private void recover() {
        if (journal != null) {
            journal.recover();
        }
    }

    /** The tables, to the journal. */
    private final class Tables implements Journal.Tables {
        @Override
        public long persisted() {
            try {
                return Description.persistedNumber(engine, description);
            } catch (RocksDBException e) {
                throw failure("reading the number of a batch", e);
            }
        }

        @Override
        public void flush(boolean wait) {
            RocksStore.this.flush(wait);
        }

        @Override
        public void apply(byte[] batch) {
            try (WriteBatch encoded = new WriteBatch(batch)) {
                engine.write(unlogged, encoded);
            } catch (RocksDBException e) {
                throw failure("applying the journal", e);
            }
        }
    }

    /** Writes out all tables, as of one batch: one of them alone would be ahead of the number that is noted for all. */
    void flush(boolean wait) {
        List<ColumnFamilyHandle> all = new ArrayList<>(List.of(families));
        all.add(description);
        try (FlushOptions how = new FlushOptions().setWaitForFlush(wait).setAllowWriteStall(true)) {
            engine.flush(how, all);
        } catch (RocksDBException e) {
            throw failure("writing out the tables", e);
        }
    }

    @Override
    public long write(Batch batch, boolean sync) {
        int ticket = usage.enter();
        try {
            caches.writing(batch);
            if (batch.staged() instanceof StagedFiles staged) {
                ingestion.write(batch, staged);
            } else {
                write(batch, null, sync);
            }
            caches.renew(batch);
            if (batch.hasRanges() && !options.isScratch()) {
                retired.add(batch);
            }
        } catch (RocksDBException e) {
            throw failure("writing", e);
        } finally {
            caches.written();
            usage.exit(ticket);
        }
        if (Description.hasPosition(batch)) {
            position = batch.position();
        }
        return 0;
    }

    /** @param announced what the {@link Ingestion} notes with the batch; null for nothing new */
    void write(Batch batch, byte @Nullable [] announced, boolean sync) throws RocksDBException {
        writing.lock();
        try (WriteBatch encoded = logged(batch, announced)) {
            if (sync) {
                syncJournal();
            }
            engine.write(unlogged, encoded);
        } finally {
            writing.unlock();
        }
    }

    private void syncJournal() {
        if (journal != null) {
            journal.sync();
        }
    }

    @Override
    public long heapBytes() {
        return 0;
    }

    /** Appends a batch to the journal. A large one is not copied in the heap first, which would have no room for it. */
    private WriteBatch logged(Batch batch, byte @Nullable [] announced) {
        Described described = new Described(batch, announced, journal == null ? 0 : journal.next());
        if (batch.bytes() > ENCODED_BYTES_MAX) {
            if (journal != null) {
                journal.append(familyNumbers, this::lastKey, rows -> addTo(rows, described));
            }
            return nativeBatch(described);
        }
        byte[] encoded = encode(described);
        if (journal != null) {
            journal.append(encoded);
        }
        return new WriteBatch(encoded);
    }

    /**
     * A batch with its rows of the {@link Description}.
     *
     * @param announced what the {@link Ingestion} notes; null for nothing new
     * @param number in the journal; 0 without one
     */
    private record Described(Batch batch, byte @Nullable [] announced, long number) {}

    private WriteBatch nativeBatch(Described batch) {
        RowBatch rows = new RowBatch(families, this::lastKey);
        boolean filled = false;
        try {
            addTo(rows, (key, value) -> rows.put(description, key, value), batch);
            filled = true;
            return rows.batch();
        } finally {
            if (!filled) {
                rows.batch().close();
            }
        }
    }

    private byte[] encode(Described batch) {
        RowEncoder.Length length = new RowEncoder.Length(familyNumbers);
        addTo(length, (key, value) -> length.putMeta(description.getID(), key, value), batch);
        BatchBytes bytes = new BatchBytes(familyNumbers, this::lastKey, length.bytes());
        addTo(bytes, batch);
        return bytes.finish();
    }

    private void addTo(RowEncoder rows, Described batch) {
        addTo(rows, (key, value) -> rows.putMeta(description.getID(), key, value), batch);
    }

    private void addTo(Batch.Target rows, BiConsumer<byte[], byte[]> described, Described all) {
        Batch batch = all.batch;
        // Nothing is left over of a scratch store, and what is deleted there must be gone.
        batch.applyTo(batch.hasRanges() && !options.isScratch() ? RetiredRanges.noting(rows, described) : rows);
        if (all.announced != null) {
            described.accept(Ingestion.KEY, all.announced);
        }
        if (Description.hasPosition(batch)) {
            described.accept(Description.POSITION_KEY, Description.bytes(batch.position()));
        }
        if (all.number > 0) {
            described.accept(Description.NUMBER_KEY, Description.bytes(all.number));
        }
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
            syncJournal();
        } finally {
            usage.exit(ticket);
        }
    }

    @Override
    public void reclaim() {
        int ticket = usage.enter();
        try {
            if (retired.reclaim(unlogged)) {
                walks.filesChanged();
            }
        } catch (RocksDBException e) {
            throw failure("deleting what has been removed", e);
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
        return estimated(table, range, estimates::bytes);
    }

    @Override
    public long reclaimableBytes(Table table, KeyRange range) {
        return estimated(table, range, estimates::reclaimableBytes);
    }

    @Override
    public long approximateCount(Table table, KeyRange range) {
        return estimated(table, range, estimates::count);
    }

    private interface Estimate {
        long of(Table table, KeyRange range) throws RocksDBException;
    }

    private long estimated(Table table, KeyRange range, Estimate estimate) {
        if (range.isEmpty()) {
            return 0;
        }
        int ticket = usage.enter();
        try {
            return estimate.of(table, range);
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
            long before = estimates.bytes(table, range);
            engine.compactRange(family(table), range.low(), Estimates.end(range), options);
            return before - estimates.bytes(table, range);
        } catch (RocksDBException e) {
            throw failure("compacting " + table, e);
        } finally {
            compactions.end(options);
            usage.exit(ticket);
        }
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
    public Path directory() {
        return directory;
    }

    @Override
    public SortedMap<String, Long> figures() {
        SortedMap<String, Long> figures = new TreeMap<>();
        int ticket = usage.enter();
        try {
            estimates.addFigures(figures);
            figures.put("cacheBytes", options.cache().getUsage());
            figures.put("cachePinnedBytes", options.cache().getPinnedUsage());
            figures.put("coldReads", coldReads.count());
            figures.put("documentCacheBytes", caches.documentBytes());
            figures.put("documentCacheHits", caches.documentHits());
            figures.put("keptWalks", (long) walks.count());
            figures.put("openScans", (long) scans.size());
            figures.put("openSnapshots", (long) snapshots.size());
            figures.put("retiredRanges", (long) retired.count());
            figures.put("scanCacheBytes", caches.scans().bytes());
            figures.put("scanCacheHits", caches.scans().hits());
        } catch (RocksDBException e) {
            throw failure("reading figures", e);
        } finally {
            usage.exit(ticket);
        }
        return figures;
    }

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
        walks.drop();
        snapshots.forEach(RocksSnapshot::dispose);
        try {
            if (journal != null) {
                journal.close();
            }
        } finally {
            for (ColumnFamilyHandle each : families) {
                each.close();
            }
            description.close();
            engine.close();
            unlogged.close();
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

    /** Whether blocks that cannot leave the cache, those of idle walks among them, take more of it than they should. */
    boolean isMuchPinned() {
        return options.cache().getPinnedUsage() > options.pinnedBytesMax();
    }

    Walks walks() {
        return walks;
    }

    Ingestion ingestion() {
        return ingestion;
    }

    ReadCaches caches() {
        return caches;
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
}
