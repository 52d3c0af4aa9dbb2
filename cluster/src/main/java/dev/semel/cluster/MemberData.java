package dev.semel.cluster;

import dev.semel.server.replica.Replication;
import dev.semel.store.Store;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The data of a member: it outlives its server also where it is in memory. Used by one thread at a time. */
final class MemberData {
    private @Nullable Store inMemory;

    Store open(Replication.Data where) throws IOException {
        Store kept = inMemory;
        if (kept != null) {
            return kept;
        }
        Store opened = where.open();
        if (!opened.isPersistent()) {
            inMemory = opened;
        }
        return opened;
    }
}
