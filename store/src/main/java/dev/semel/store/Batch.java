package dev.semel.store;

import dev.semel.store.key.KeyRange;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Changes that an {@link Store engine} applies in order and all or none. */
public final class Batch {
    private static final byte[] NO_KEY = {};

    private Table[] tables = new Table[8];
    private byte[][] keys = new byte[8][];
    private byte[] @Nullable [] values = new byte[8] @Nullable [];
    private boolean[] ranges = new boolean[8];
    private int size;
    private long bytes;
    private long clusterTime;
    private @Nullable Staged staged;

    /** One change after the other, as the engine wants to have them. */
    public interface Target {
        void put(Table table, byte[] key, byte[] value);

        void delete(Table table, byte[] key);

        void deleteRange(Table table, KeyRange range);
    }

    public void put(Table table, byte[] key, byte[] value) {
        add(table, key, value, false);
        bytes += value.length;
    }

    public void delete(Table table, byte[] key) {
        add(table, key, null, false);
    }

    public void deleteRange(Table table, KeyRange range) {
        add(table, range.low(), range.high(), true);
    }

    private void add(Table table, byte[] key, byte @Nullable [] value, boolean range) {
        if (size == tables.length) {
            int capacity = size * 2;
            tables = Arrays.copyOf(tables, capacity);
            keys = Arrays.copyOf(keys, capacity);
            values = Arrays.copyOf(values, capacity);
            ranges = Arrays.copyOf(ranges, capacity);
        }
        tables[size] = table;
        keys[size] = key;
        values[size] = value;
        ranges[size] = range;
        size++;
        bytes += key.length;
    }

    public void applyTo(Target target) {
        for (int i = 0; i < size; i++) {
            byte[] value = values[i];
            if (ranges[i]) {
                target.deleteRange(tables[i], new KeyRange(keys[i], value));
            } else if (value == null) {
                target.delete(tables[i], keys[i]);
            } else {
                target.put(tables[i], keys[i], value);
            }
        }
    }

    /** Drops what was added since the batch had this size and these bytes. */
    void truncate(int toSize, long toBytes) {
        for (int i = toSize; i < size; i++) {
            keys[i] = NO_KEY;
            values[i] = null;
        }
        size = toSize;
        bytes = toBytes;
    }

    /** Rows that were prepared beside; they come before those of this batch. */
    void staged(Staged rows) {
        staged = rows;
    }

    public @Nullable Staged staged() {
        return staged;
    }

    public int size() {
        return size;
    }

    /** Of keys and values. */
    public long bytes() {
        return bytes;
    }

    /** The newest cluster time in this batch; the engine keeps it with the data. */
    public long clusterTime() {
        return clusterTime;
    }

    public void clusterTime(long newest) {
        clusterTime = newest;
    }
}
