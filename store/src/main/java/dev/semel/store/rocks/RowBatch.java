package dev.semel.store.rocks;

import dev.semel.store.Batch;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** A batch built row by row in the engine's own memory. Its creator closes the {@link #batch}. */
final class RowBatch implements Batch.Target {
    private final WriteBatch batch = new WriteBatch();
    private final ColumnFamilyHandle[] families;
    private final Function<Table, byte @Nullable []> lastKey;
    private final byte[] @Nullable [] highest;

    /** Families by the table's index; the last key that the engine has in a table, for ranges without an end. */
    RowBatch(ColumnFamilyHandle[] families, Function<Table, byte @Nullable []> lastKey) {
        this.families = families;
        this.lastKey = lastKey;
        this.highest = new byte[families.length] @Nullable [];
    }

    WriteBatch batch() {
        return batch;
    }

    @Override
    public void put(Table table, byte[] key, byte[] value) {
        put(families[table.index()], key, value);
        highest[table.index()] = RowEncoder.higher(highest[table.index()], key);
    }

    void put(ColumnFamilyHandle family, byte[] key, byte[] value) {
        try {
            batch.put(family, key, value);
        } catch (RocksDBException e) {
            throw RocksStore.failure("adding to a batch", e);
        }
    }

    @Override
    public void delete(Table table, byte[] key) {
        try {
            batch.delete(families[table.index()], key);
        } catch (RocksDBException e) {
            throw RocksStore.failure("adding to a batch", e);
        }
    }

    @Override
    public void deleteRange(Table table, KeyRange range) {
        byte[] last = range.high() == null ? lastKey.apply(table) : null;
        byte[] high = RowEncoder.end(range, last, highest[table.index()]);
        if (high != null && Arrays.compareUnsigned(range.low(), high) < 0) {
            try {
                batch.deleteRange(families[table.index()], range.low(), high);
            } catch (RocksDBException e) {
                throw RocksStore.failure("adding to a batch", e);
            }
        }
    }
}
