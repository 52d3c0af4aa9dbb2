package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Spec;
import dev.semel.server.session.ConnectionTransactions;
import dev.semel.server.session.SessionTransactions;

/**
 * {@code commitTransaction}: what the session's transaction has written becomes visible and durable, all of it. Sent again,
 * it answers the same.
 */
final class CommitTransaction implements Command<Endings.Args> {
    private final SessionTransactions transactions;
    private final ConnectionTransactions connectionTransactions;

    CommitTransaction(SessionTransactions transactions, ConnectionTransactions connectionTransactions) {
        this.transactions = transactions;
        this.connectionTransactions = connectionTransactions;
    }

    @Override
    public Spec spec() {
        return Endings.spec("commitTransaction");
    }

    @Override
    public Endings.Args parse(Arguments in) {
        return Endings.parse(in);
    }

    @Override
    public Reply run(Endings.Args args, Call call) {
        if (!call.isInSessionTransaction()) {
            return Endings.commit(connectionTransactions, call);
        }
        call.saw(transactions.commit(Endings.session(call), call.txnNumber()));
        return Reply.ok();
    }
}
