package dev.semel.store;

import dev.semel.store.key.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * One instant of the whole database, perhaps with a transaction's own writes on top. Safe for one thread at a time.
 * Everything that a snapshot shows is kept in the engine until it is closed, so every snapshot has to be closed.
 */
public interface Snapshot extends AutoCloseable {
    /** The value, an array that is never changed afterwards, or null if the key is absent. */
    byte @Nullable [] get(Table table, byte[] key);

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
