package dev.semel.store;

import dev.semel.store.key.KeyRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One instant of the whole database, perhaps with a transaction's own writes on top. Safe for one thread at a time.
 * Everything that a snapshot shows is kept in the engine until it is closed, so every snapshot has to be closed.
 */
public interface Snapshot extends AutoCloseable {
    /** With that much, no further value is read in one call. */
    long TOGETHER_BYTES_MAX = 64 << 10;

    /** The value, an array that is never changed afterwards, or null if the key is absent. */
    byte @Nullable [] get(Table table, byte[] key);

    /**
     * The same for several keys, which costs less where they have to be read from the disk: the values of the first of them, as
     * many as {@link #TOGETHER_BYTES_MAX} allows, at least one.
     */
    default List<byte @Nullable []> get(Table table, List<byte[]> keys) {
        List<byte @Nullable []> values = new ArrayList<>(keys.size());
        long bytes = 0;
        for (int i = 0; i < keys.size() && bytes < TOGETHER_BYTES_MAX; i++) {
            byte[] value = get(table, keys.get(i));
            values.add(value);
            bytes += value == null ? 0 : value.length;
        }
        return values;
    }

    /** In the order of unsigned bytes, or in the opposite one. */
    Scan scan(Table table, KeyRange range, boolean reverse);

    /** Whether it shows what may never be committed: such data must not be cached. */
    default boolean showsUncommitted() {
        return false;
    }

    /** The newest commit that this snapshot shows. */
    long clusterTime();

    /** Ends it; a second call does nothing. */
    @Override
    void close();
}
