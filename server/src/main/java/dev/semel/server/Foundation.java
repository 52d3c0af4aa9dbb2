package dev.semel.server;

import dev.semel.server.replica.Expansion;
import dev.semel.server.replica.Replication;
import dev.semel.store.lock.Locks;
import org.jspecify.annotations.Nullable;

/**
 * Parts of a server that tests replace by others.
 *
 * @param locks null for the real lock table
 * @param replication null for a node that is the only one with its data
 * @param expansion null for such a node if it cannot become one of several
 */
record Foundation(
        @Nullable Locks locks,
        @Nullable Replication replication,
        @Nullable Expansion expansion) {
    static final Foundation USUAL = new Foundation(null, null);

    Foundation(@Nullable Locks locks, @Nullable Replication replication) {
        this(locks, replication, null);
    }
}
