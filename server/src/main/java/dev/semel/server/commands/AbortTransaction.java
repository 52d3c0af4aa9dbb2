package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Spec;
import dev.semel.server.session.ConnectionTransactions;
import dev.semel.server.session.SessionTransactions;

/** {@code abortTransaction}: forgets what the session's transaction has written. */
final class AbortTransaction implements Command<Endings.Args> {
    private final SessionTransactions transactions;
    private final ConnectionTransactions connectionTransactions;

    AbortTransaction(SessionTransactions transactions, ConnectionTransactions connectionTransactions) {
        this.transactions = transactions;
        this.connectionTransactions = connectionTransactions;
    }

    @Override
    public Spec spec() {
        return Endings.spec("abortTransaction");
    }

    @Override
    public Endings.Args parse(Arguments in) {
        return Endings.parse(in);
    }

    @Override
    public Reply run(Endings.Args args, Call call) {
        if (!call.isInSessionTransaction()) {
            return Endings.rollback(connectionTransactions, call);
        }
        transactions.abort(Endings.session(call), call.txnNumber());
        return Reply.ok();
    }
}
