package dev.semel.store;

import dev.semel.store.key.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * One instant of the whole database, perhaps with a transaction's own writes on top. Safe for one thread at a time.
 * Everything a snapshot shows stays in the engine until it is closed, so whoever opens one closes it.
 */
public interface Snapshot extends AutoCloseable {
    /** The value, an array that nobody changes, or null if the key is absent. */
    byte @Nullable [] get(Table table, byte[] key);

    /** In the order of unsigned bytes, or in the opposite one. */
    Scan scan(Table table, KeyRange range, boolean reverse);

    /** Whether it shows what may never be committed: not to be remembered by anybody. */
    default boolean showsUncommitted() {
        return false;
    }

    /** The newest commit that this snapshot shows. */
    long clusterTime();

    /** Ends it; a second call does nothing. */
    @Override
    void close();
}
