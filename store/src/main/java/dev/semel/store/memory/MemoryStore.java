package dev.semel.store.memory;

import dev.semel.store.Batch;
import dev.semel.store.Position;
import dev.semel.store.RowSource;
import dev.semel.store.Snapshot;
import dev.semel.store.Staged;
import dev.semel.store.Store;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.store.tree.Tree;
import dev.semel.wire.memory.LargeValues;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A store in the heap. A version of the database is an array of immutable trees, so a snapshot is one read of a field,
 * readers meet no lock, and a writer's cost is the copy of one path per touched leaf.
 */
public final class MemoryStore implements Store {
    private static final Table[] TABLES = Table.values();

    private volatile Version newest;
    private volatile LargeValues largeValues = LargeValues.unlimited();

    /** Held while a version takes the place of the newest, so that what is staged misses none. */
    private final ReentrantLock replacing = new ReentrantLock();

    /** Guarded by the lock. */
    private @Nullable StagedTrees staged;

    /** All tables at one instant; the array is never changed. */
    record Version(Tree[] trees, Position position) {
        static Version empty() {
            Tree[] trees = new Tree[TABLES.length];
            java.util.Arrays.fill(trees, Tree.EMPTY);
            return new Version(trees, Position.NONE);
        }

        Tree tree(Table table) {
            return trees[table.index()];
        }
    }

    /** Without any rows. */
    public MemoryStore() {
        this(Version.empty());
    }

    private MemoryStore(Version newest) {
        this.newest = newest;
    }

    /** As it was when the {@link #checkpoint} was written. */
    public static MemoryStore open(Path checkpoint) {
        return new MemoryStore(RowsFile.read(checkpoint));
    }

    @Override
    public Snapshot snapshot(long clusterTime) {
        return new MemorySnapshot(newest.trees(), clusterTime, largeValues);
    }

    @Override
    public void countLarge(LargeValues values) {
        largeValues = values;
    }

    @Override
    public long write(Batch batch, boolean sync) {
        Version before = newest;
        Editors editors =
                batch.staged() instanceof StagedTrees rows ? rows.finish(before.trees()) : new Editors(before.trees());
        batch.applyTo(editors);
        Version after = new Version(
                editors.trees(), batch.position().equals(Position.NONE) ? before.position() : batch.position());
        replacing.lock();
        try {
            newest = after;
            if (staged != null) {
                staged.missed(batch);
            }
        } finally {
            replacing.unlock();
        }
        return editors.replacedHeapBytes();
    }

    @Override
    public Staged stage(RowSource rows) {
        StagedTrees trees;
        replacing.lock();
        try {
            trees = new StagedTrees(newest.trees(), this::unstage);
            staged = trees;
        } finally {
            replacing.unlock();
        }
        trees.build(rows);
        return trees;
    }

    @Override
    public Store scratch(Path directory) {
        return new MemoryStore();
    }

    private void unstage() {
        replacing.lock();
        try {
            staged = null;
        } finally {
            replacing.unlock();
        }
    }

    @Override
    public void syncLog() {}

    @Override
    public boolean isPersistent() {
        return false;
    }

    @Override
    public Position position() {
        return newest.position();
    }

    @Override
    public long heapBytes() {
        long bytes = 0;
        for (Tree each : newest.trees()) {
            bytes += each.heapBytes();
        }
        return bytes;
    }

    @Override
    public long approximateBytes(Table table, KeyRange range) {
        return newest.tree(table).heapBytes(range);
    }

    /** Nothing is kept that no snapshot shows. */
    @Override
    public long reclaimableBytes(Table table, KeyRange range) {
        return 0;
    }

    @Override
    public long compact(Table table, KeyRange range) {
        return 0;
    }

    @Override
    public long approximateCount(Table table, KeyRange range) {
        return newest.tree(table).count(range);
    }

    @Override
    public void checkpoint(Path directory) {
        RowsFile.write(directory, newest);
    }

    @Override
    public @Nullable Path directory() {
        return null;
    }

    @Override
    public SortedMap<String, Long> figures() {
        SortedMap<String, Long> figures = new TreeMap<>();
        Version now = newest;
        for (Table table : TABLES) {
            figures.put(
                    table.name().toLowerCase(java.util.Locale.ROOT) + "Bytes",
                    now.tree(table).bytes());
        }
        return figures;
    }

    /** The next run on this store, in a test, finds what is in it: closing loses nothing. */
    @Override
    public void close() {}
}
