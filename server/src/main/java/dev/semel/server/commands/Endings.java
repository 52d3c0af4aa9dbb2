package dev.semel.server.commands;

import dev.semel.server.command.Call;
import dev.semel.server.command.Reply;
import dev.semel.server.session.ConnectionTransactions;
import dev.semel.wire.bson.BsonWriter;

/** How the commands that end a transaction of TokuMX's dialect do it, some of which MongoDB's dialect has too. */
final class Endings {
    private Endings() {}

    static Reply commit(ConnectionTransactions transactions, Call call) {
        call.committed(transactions.commit(call.transactionKey(), call.transaction()));
        return status("transaction committed");
    }

    static Reply rollback(ConnectionTransactions transactions, Call call) {
        transactions.rollback(call.transactionKey(), call.transaction());
        return status("transaction rolled back");
    }

    private static Reply status(String status) {
        return Reply.of(new BsonWriter().put("status", status));
    }
}
