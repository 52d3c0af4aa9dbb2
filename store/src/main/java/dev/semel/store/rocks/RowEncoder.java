package dev.semel.store.rocks;

import dev.semel.store.Batch;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes a batch in the engine's own form. That is the form of the engine's log, which cannot change without breaking every
 * database: 8 bytes that the engine fills in, the number of records as 4 bytes little-endian, then records of a type, the
 * column family's number, the key and, if it has one, the value; numbers and lengths are varints.
 */
abstract class RowEncoder implements Batch.Target {
    static final int HEADER_BYTES = 12;
    static final int COUNT_OFFSET = 8;

    private static final byte DELETION = 0x4;
    private static final byte VALUE = 0x5;
    private static final byte RANGE_DELETION = 0xE;

    private final int[] families;

    /** The last key the engine has in a table, for ranges without an end. */
    private final Function<Table, byte @Nullable []> lastKey;

    private int count;
    private final byte[] @Nullable [] highest;

    /** Families by the table's index. */
    RowEncoder(int[] families, Function<Table, byte @Nullable []> lastKey) {
        this.families = families;
        this.lastKey = lastKey;
        this.highest = new byte[families.length] @Nullable [];
    }

    /** How many records there are. */
    int count() {
        return count;
    }

    /** Before the parts of a record, which take so many bytes. */
    abstract void begin(int recordBytes);

    abstract void add(byte one);

    abstract void add(byte[] content);

    /** What the records of a batch take, ranges without an end excepted. */
    static final class Length implements Batch.Target {
        private final int[] families;
        private long bytes;

        Length(int[] families) {
            this.families = families;
        }

        long bytes() {
            return bytes;
        }

        @Override
        public void put(Table table, byte[] key, byte[] value) {
            putMeta(families[table.index()], key, value);
        }

        void putMeta(int family, byte[] key, byte[] value) {
            bytes += recordBytes(family, key) + contentBytes(value);
        }

        @Override
        public void delete(Table table, byte[] key) {
            bytes += recordBytes(families[table.index()], key);
        }

        @Override
        public void deleteRange(Table table, KeyRange range) {
            byte[] high = range.high();
            bytes += high == null ? 0 : recordBytes(families[table.index()], range.low()) + contentBytes(high);
        }
    }

    private static int recordBytes(int family, byte[] key) {
        return 1 + varintBytes(family) + contentBytes(key);
    }

    private static int contentBytes(byte[] content) {
        return varintBytes(content.length) + content.length;
    }

    /** Seven bits in each. */
    private static int varintBytes(int value) {
        return (Integer.SIZE - Integer.numberOfLeadingZeros(value | 1) + 6) / 7;
    }

    @Override
    public void put(Table table, byte[] key, byte[] value) {
        putMeta(families[table.index()], key, value);
        noteHighest(table, key);
    }

    /** Into the column family that describes the database. */
    void putMeta(int family, byte[] key, byte[] value) {
        begin(VALUE, family, recordBytes(family, key) + contentBytes(value));
        addContent(key);
        addContent(value);
    }

    @Override
    public void delete(Table table, byte[] key) {
        int family = families[table.index()];
        begin(DELETION, family, recordBytes(family, key));
        addContent(key);
    }

    /** The engine wants an end, so a range without one ends behind everything there is, earlier rows of this batch included. */
    @Override
    public void deleteRange(Table table, KeyRange range) {
        byte[] high = range.high();
        if (high == null) {
            high = end(range, lastKey.apply(table), highest[table.index()]);
        }
        if (high != null && Arrays.compareUnsigned(range.low(), high) < 0) {
            int family = families[table.index()];
            begin(RANGE_DELETION, family, recordBytes(family, range.low()) + contentBytes(high));
            addContent(range.low());
            addContent(high);
        }
    }

    /** Where a range ends, given the last keys of the table and of the batch; null if there is nothing in it. */
    static byte @Nullable [] end(KeyRange range, byte @Nullable [] lastStored, byte @Nullable [] lastAdded) {
        byte[] high = range.high();
        if (high != null) {
            return high;
        }
        byte[] last = higher(lastStored, lastAdded);
        return last == null ? null : KeyRange.successor(last);
    }

    private void noteHighest(Table table, byte[] key) {
        highest[table.index()] = higher(highest[table.index()], key);
    }

    static byte @Nullable [] higher(byte @Nullable [] a, byte @Nullable [] b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return Arrays.compareUnsigned(a, b) > 0 ? a : b;
    }

    private void begin(byte type, int family, int recordBytes) {
        begin(recordBytes);
        add(type);
        addVarint(family);
        count++;
    }

    private void addContent(byte[] content) {
        addVarint(content.length);
        add(content);
    }

    private void addVarint(int value) {
        int rest = value;
        while (rest >= 0x80) {
            add((byte) (rest | 0x80));
            rest >>>= 7;
        }
        add((byte) rest);
    }
}
