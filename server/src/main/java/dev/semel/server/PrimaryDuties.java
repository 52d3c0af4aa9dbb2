package dev.semel.server;

import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Ddl;
import dev.semel.server.catalog.TemporaryCollections;
import dev.semel.server.oplog.OplogHistory;
import dev.semel.server.replica.Replication;
import dev.semel.server.session.ConnectionTransactions;
import dev.semel.store.lock.Interruption;
import org.jspecify.annotations.Nullable;

/** Finishes what the primary before, or an earlier run of the server, has left incomplete. */
record PrimaryDuties(
        Catalog catalog,
        @Nullable OplogHistory oplog,
        ConnectionTransactions connectionTransactions,
        TemporaryCollections temporary)
        implements Replication.Duties {
    @Override
    public void takeOver() {
        catalog.takeOver();
        if (oplog != null) {
            oplog.begin();
        }
        connectionTransactions.takeOver();
        temporary.clear(Ddl.Scope.own(Interruption.unlimited()));
    }
}
