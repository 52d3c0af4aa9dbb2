package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.session.Session;
import dev.semel.server.session.SessionTransactions;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;

/** {@code commitTransaction}: what the session's transaction has written becomes visible and durable, all of it. Sent again, it answers the same. */
final class CommitTransaction implements Command<CommitTransaction.Args> {
    record Args() {}

    private final SessionTransactions transactions;

    CommitTransaction(SessionTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Spec spec() {
        return Spec.of("commitTransaction")
                .with(
                        Trait.ADMIN_ONLY,
                        Trait.WRITES,
                        Trait.WRITE_CONCERN,
                        Trait.IN_TRANSACTION,
                        Trait.ENDS_TRANSACTION);
    }

    @Override
    public Args parse(Arguments in) {
        // By which a router finds the transaction; here the session does.
        in.ignored("recoveryToken");
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        Session session = call.session();
        if (session == null || !call.isInSessionTransaction()) {
            throw new CommandException(ErrorCode.CommandFailed, "commitTransaction must be run within a transaction");
        }
        long committedAt = transactions.commit(session, call.txnNumber());
        call.saw(committedAt);
        return Reply.ok();
    }
}
