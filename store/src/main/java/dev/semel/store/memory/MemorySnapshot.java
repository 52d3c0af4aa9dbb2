package dev.semel.store.memory;

import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.store.tree.Tree;
import dev.semel.store.tree.TreeCursor;
import dev.semel.wire.memory.LargeValues;
import org.jspecify.annotations.Nullable;

/** A version of the trees. Closing it is up to the garbage collector. */
final class MemorySnapshot implements Snapshot {
    private final Tree[] trees;
    private final long clusterTime;
    private final LargeValues largeValues;

    MemorySnapshot(Tree[] trees, long clusterTime, LargeValues largeValues) {
        this.trees = trees;
        this.clusterTime = clusterTime;
        this.largeValues = largeValues;
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        byte[] value = trees[table.index()].get(key);
        if (value != null) {
            largeValues.hold(value.length);
        }
        return value;
    }

    @Override
    public Scan scan(Table table, KeyRange range, boolean reverse) {
        return new MemoryScan(trees[table.index()].cursor(range, reverse), largeValues);
    }

    @Override
    public long clusterTime() {
        return clusterTime;
    }

    @Override
    public void close() {}

    private record MemoryScan(TreeCursor cursor, LargeValues largeValues) implements Scan {
        @Override
        public boolean next() {
            return cursor.next();
        }

        @Override
        public byte[] key() {
            return cursor.key();
        }

        @Override
        public byte[] value() {
            byte[] value = cursor.value();
            largeValues.hold(value.length);
            return value;
        }

        @Override
        public byte[] transientValue() {
            return value();
        }

        @Override
        public boolean hasValuesAtHand() {
            return true;
        }

        @Override
        public void seek(byte[] key) {
            cursor.seek(key);
        }

        @Override
        public void close() {}
    }
}
