package dev.semel.store.memory;

import dev.semel.store.Batch;
import dev.semel.store.Snapshot;
import dev.semel.store.Store;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.store.tree.Editor;
import dev.semel.store.tree.Tree;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A store in the heap. A version of the database is an array of immutable trees, so a snapshot is one read of a field,
 * readers meet no lock, and a writer's cost is the copy of one path per touched leaf.
 */
public final class MemoryStore implements Store {
    private static final Table[] TABLES = Table.values();

    private volatile Version newest = Version.empty();

    /** All tables at one instant; the array is never changed. */
    record Version(Tree[] trees, long clusterTime) {
        static Version empty() {
            Tree[] trees = new Tree[TABLES.length];
            java.util.Arrays.fill(trees, Tree.EMPTY);
            return new Version(trees, 0);
        }

        Tree tree(Table table) {
            return trees[table.index()];
        }
    }

    @Override
    public Snapshot snapshot(long clusterTime) {
        return new MemorySnapshot(newest.trees(), clusterTime);
    }

    @Override
    public long write(Batch batch, boolean sync) {
        Version before = newest;
        Editors editors = new Editors(before.trees());
        batch.applyTo(editors);
        newest = new Version(editors.trees(), Math.max(before.clusterTime(), batch.clusterTime()));
        return editors.replacedHeapBytes();
    }

    @Override
    public void syncLog() {}

    @Override
    public boolean isPersistent() {
        return false;
    }

    @Override
    public long lastClusterTime() {
        return newest.clusterTime();
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
        return newest.tree(table).bytes(range);
    }

    @Override
    public long approximateCount(Table table, KeyRange range) {
        return newest.tree(table).count(range);
    }

    @Override
    public void checkpoint(Path directory) {
        throw new UnsupportedOperationException("a memory store has no files to copy");
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

    private static final class Editors implements Batch.Target {
        private final Tree[] before;
        private final @Nullable Editor[] editors = new @Nullable Editor[TABLES.length];

        Editors(Tree[] before) {
            this.before = before;
        }

        private Editor editor(Table table) {
            int at = table.index();
            Editor editor = editors[at];
            if (editor == null) {
                editor = new Editor(before[at]);
                editors[at] = editor;
            }
            return editor;
        }

        Tree[] trees() {
            Tree[] trees = before.clone();
            for (int i = 0; i < trees.length; i++) {
                Editor editor = editors[i];
                if (editor != null) {
                    trees[i] = editor.tree();
                }
            }
            return trees;
        }

        long replacedHeapBytes() {
            long bytes = 0;
            for (Editor each : editors) {
                bytes += each == null ? 0 : each.replacedHeapBytes();
            }
            return bytes;
        }

        @Override
        public void put(Table table, byte[] key, byte[] value) {
            editor(table).put(key, value);
        }

        @Override
        public void delete(Table table, byte[] key) {
            editor(table).remove(key);
        }

        @Override
        public void deleteRange(Table table, KeyRange range) {
            editor(table).removeRange(range);
        }
    }
}
