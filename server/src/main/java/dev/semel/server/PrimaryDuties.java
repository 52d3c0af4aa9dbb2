package dev.semel.server;

import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Ddl;
import dev.semel.server.catalog.TemporaryCollections;
import dev.semel.server.command.Call;
import dev.semel.server.command.Clients;
import dev.semel.server.oplog.OplogHistory;
import dev.semel.server.replica.Replication;
import dev.semel.server.session.ConnectionTransactions;
import dev.semel.server.session.SessionTransactions;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import org.jspecify.annotations.Nullable;

/** Finishes what the primary before, or an earlier run of the server, has left incomplete; ends what is not finished here. */
record PrimaryDuties(
        Catalog catalog,
        @Nullable OplogHistory oplog,
        ConnectionTransactions connectionTransactions,
        TemporaryCollections temporary,
        SessionTransactions sessionTransactions,
        Clients clients)
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

    @Override
    public void giveUp() {
        CommandException why = new CommandException(
                ErrorCode.InterruptedDueToReplStateChange, "operation was interrupted: not primary any more");
        clients.running().stream()
                .filter(Call::isWrite)
                .forEach(each -> each.interruption().kill(why));
        sessionTransactions.giveUp(why);
        connectionTransactions.giveUp("because this member is not the primary any more");
    }
}
