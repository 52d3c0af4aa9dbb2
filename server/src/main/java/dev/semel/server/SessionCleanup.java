package dev.semel.server;

import dev.semel.server.command.Call;
import dev.semel.server.command.Clients;
import dev.semel.server.cursor.Cursors;
import dev.semel.server.session.ConnectionTransactions;
import dev.semel.server.session.SessionId;
import dev.semel.server.session.SessionTransactions;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;

/** Closes the cursors, transactions and operations of a session when the session ends. */
record SessionCleanup(
        Cursors cursors,
        SessionTransactions sessionTransactions,
        ConnectionTransactions connectionTransactions,
        Clients clients) {

    /** Killing a session also stops its running operations; a session that expires or is ended has none. */
    void sessionEnded(SessionId id, boolean killed) {
        cursors.endSession(id);
        sessionTransactions.end(id);
        connectionTransactions.end(id, killed);
        if (killed) {
            for (Call each : clients.running()) {
                if (each.session() != null && each.session().id().equals(id)) {
                    each.kill(new CommandException(ErrorCode.Interrupted, "operation was interrupted"));
                }
            }
        }
    }
}
