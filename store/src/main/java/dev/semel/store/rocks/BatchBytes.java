package dev.semel.store.rocks;

import dev.semel.store.Batch;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A batch in the engine's own form, built here and handed over in one call: a call for each row would cost more than the
 * row. The form is that of the engine's log, which cannot change without breaking every database: 8 bytes that the engine
 * fills in, the number of records as 4 bytes little-endian, then records of a type, the column family's number, the key
 * and, if it has one, the value; numbers and lengths are varints.
 */
final class BatchBytes implements Batch.Target {
    private static final int HEADER_BYTES = 12;
    private static final int COUNT_OFFSET = 8;
    private static final int VARINT_BYTES_MAX = 5;

    private static final byte DELETION = 0x4;
    private static final byte VALUE = 0x5;
    private static final byte RANGE_DELETION = 0xE;

    private final int[] families;

    /** The last key the engine has in a table, for ranges without an end. */
    private final Function<Table, byte @Nullable []> lastKey;

    private byte[] bytes;
    private int size = HEADER_BYTES;
    private int count;
    private final byte[] @Nullable [] highest;

    /** Families by the table's index. */
    BatchBytes(int[] families, Function<Table, byte @Nullable []> lastKey, int expectedBytes) {
        this.families = families;
        this.lastKey = lastKey;
        this.bytes = new byte[HEADER_BYTES + expectedBytes];
        this.highest = new byte[families.length] @Nullable [];
    }

    byte[] finish() {
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(COUNT_OFFSET, count);
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }

    @Override
    public void put(Table table, byte[] key, byte[] value) {
        begin(VALUE, families[table.index()], key.length + value.length);
        add(key);
        add(value);
        noteHighest(table, key);
    }

    /** Into the column family that describes the database. */
    void putMeta(int family, byte[] key, byte[] value) {
        begin(VALUE, family, key.length + value.length);
        add(key);
        add(value);
    }

    @Override
    public void delete(Table table, byte[] key) {
        begin(DELETION, families[table.index()], key.length);
        add(key);
    }

    /** The engine wants an end, so a range without one ends behind everything there is, earlier rows of this batch included. */
    @Override
    public void deleteRange(Table table, KeyRange range) {
        byte[] high = range.high();
        if (high == null) {
            high = end(range, lastKey.apply(table), highest[table.index()]);
        }
        if (high != null && Arrays.compareUnsigned(range.low(), high) < 0) {
            begin(RANGE_DELETION, families[table.index()], range.low().length + high.length);
            add(range.low());
            add(high);
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

    private void begin(byte type, int family, int contentBytes) {
        int needed = size + 1 + 3 * VARINT_BYTES_MAX + contentBytes;
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(needed, bytes.length + (bytes.length >> 1)));
        }
        bytes[size++] = type;
        addVarint(family);
        count++;
    }

    private void add(byte[] content) {
        addVarint(content.length);
        System.arraycopy(content, 0, bytes, size, content.length);
        size += content.length;
    }

    private void addVarint(int value) {
        int rest = value;
        while (rest >= 0x80) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }
}
