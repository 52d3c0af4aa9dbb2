package dev.semel.store;

import dev.semel.store.key.KeyRange;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Changes that an {@link Store engine} applies in order and all or none. */
public final class Batch implements RowSource {
    private static final byte ROW = 0;
    private static final byte RANGE = 1;
    private static final byte RETIRED = 2;

    private Table[] tables = new Table[8];
    private byte[][] keys = new byte[8][];
    private byte[] @Nullable [] values = new byte[8] @Nullable [];
    private byte[] kinds = new byte[8];
    private boolean hasRanges;
    private int size;
    private long bytes;
    private Position position = Position.NONE;
    private @Nullable Staged staged;

    /** One change after the other, as the engine wants to have them. */
    public interface Target {
        void put(Table table, byte[] key, byte[] value);

        void delete(Table table, byte[] key);

        void deleteRange(Table table, KeyRange range);

        /** Removes rows that nobody reads or writes from here on; an engine may let them lie until no snapshot shows them. */
        default void retire(Table table, KeyRange range) {
            deleteRange(table, range);
        }
    }

    public void put(Table table, byte[] key, byte[] value) {
        add(table, key, value, ROW);
        bytes += value.length;
    }

    public void delete(Table table, byte[] key) {
        add(table, key, null, ROW);
    }

    public void deleteRange(Table table, KeyRange range) {
        add(table, range.low(), range.high(), RANGE);
        hasRanges = true;
    }

    /** See {@link Target#retire}. */
    public void retire(Table table, KeyRange range) {
        add(table, range.low(), range.high(), RETIRED);
        hasRanges = true;
    }

    private void add(Table table, byte[] key, byte @Nullable [] value, byte kind) {
        ensureCapacity(size + 1);
        tables[size] = table;
        keys[size] = key;
        values[size] = value;
        kinds[size] = kind;
        size++;
        bytes += key.length;
    }

    private void ensureCapacity(int needed) {
        if (needed > tables.length) {
            int capacity = Math.max(needed, size * 2);
            tables = Arrays.copyOf(tables, capacity);
            keys = Arrays.copyOf(keys, capacity);
            values = Arrays.copyOf(values, capacity);
            kinds = Arrays.copyOf(kinds, capacity);
        }
    }

    @Override
    public void applyTo(Target target) {
        for (int i = 0; i < size; i++) {
            byte[] value = values[i];
            if (kinds[i] == RANGE) {
                target.deleteRange(tables[i], new KeyRange(keys[i], value));
            } else if (kinds[i] == RETIRED) {
                target.retire(tables[i], new KeyRange(keys[i], value));
            } else if (value == null) {
                target.delete(tables[i], keys[i]);
            } else {
                target.put(tables[i], keys[i], value);
            }
        }
    }

    /** Where changes are added. */
    Target target() {
        return new Adding(this);
    }

    private record Adding(Batch batch) implements Target {
        @Override
        public void put(Table table, byte[] key, byte[] value) {
            batch.put(table, key, value);
        }

        @Override
        public void delete(Table table, byte[] key) {
            batch.delete(table, key);
        }

        @Override
        public void deleteRange(Table table, KeyRange range) {
            batch.deleteRange(table, range);
        }

        @Override
        public void retire(Table table, KeyRange range) {
            batch.retire(table, range);
        }
    }

    /** All changes of another one, behind those that are here. */
    void addAll(Batch other) {
        ensureCapacity(size + other.size);
        System.arraycopy(other.tables, 0, tables, size, other.size);
        System.arraycopy(other.keys, 0, keys, size, other.size);
        System.arraycopy(other.values, 0, values, size, other.size);
        System.arraycopy(other.kinds, 0, kinds, size, other.size);
        size += other.size;
        bytes += other.bytes;
        hasRanges |= other.hasRanges;
    }

    /** Whether a row removes all of a range instead of one key. */
    public boolean hasRanges() {
        return hasRanges;
    }

    Table table(int row) {
        return tables[Objects.checkIndex(row, size)];
    }

    /** The key of a row; not to be changed. */
    byte[] key(int row) {
        return keys[Objects.checkIndex(row, size)];
    }

    /** The value of a row; not to be changed, null for a deletion. */
    byte @Nullable [] value(int row) {
        return values[Objects.checkIndex(row, size)];
    }

    /** The last row that is put or deleted at a key; -1 if there is none. */
    int last(Table table, byte[] key) {
        for (int i = size - 1; i >= 0; i--) {
            if (tables[i] == table && kinds[i] == ROW && Arrays.equals(keys[i], key)) {
                return i;
            }
        }
        return -1;
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

    /** Up to where the engine has applied with this batch, which it keeps with the data; no position leaves it as it is. */
    public Position position() {
        return position;
    }

    public void position(Position reached) {
        position = reached;
    }
}
