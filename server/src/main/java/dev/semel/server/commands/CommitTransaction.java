package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.session.ConnectionTransactions;
import dev.semel.server.session.Session;
import dev.semel.server.session.SessionTransactions;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.Objects;

/** {@code commitTransaction}: what the session's transaction has written becomes visible and durable, all of it. Sent again, it answers the same. */
final class CommitTransaction implements Command<CommitTransaction.Args> {
    record Args() {}

    private final SessionTransactions transactions;
    private final ConnectionTransactions connectionTransactions;

    CommitTransaction(SessionTransactions transactions, ConnectionTransactions connectionTransactions) {
        this.transactions = transactions;
        this.connectionTransactions = connectionTransactions;
    }

    @Override
    public Spec spec() {
        return Spec.of("commitTransaction")
                .with(Trait.WRITES, Trait.WRITE_CONCERN, Trait.IN_TRANSACTION, Trait.ENDS_TRANSACTION);
    }

    @Override
    public Args parse(Arguments in) {
        // By which a router finds the transaction; here the session does.
        in.ignored("recoveryToken");
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        if (!call.isInSessionTransaction()) {
            return Endings.commit(connectionTransactions, call);
        }
        if (!call.database().equals("admin")) {
            throw new CommandException(
                    ErrorCode.Unauthorized, "commitTransaction may only be run against the admin database.");
        }
        Session session = Objects.requireNonNull(call.session());
        long committedAt = transactions.commit(session, call.txnNumber());
        call.saw(committedAt);
        return Reply.ok();
    }
}
