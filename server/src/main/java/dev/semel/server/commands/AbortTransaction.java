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

/** {@code abortTransaction}: forgets what the session's transaction has written. */
final class AbortTransaction implements Command<AbortTransaction.Args> {
    record Args() {}

    private final SessionTransactions transactions;
    private final ConnectionTransactions connectionTransactions;

    AbortTransaction(SessionTransactions transactions, ConnectionTransactions connectionTransactions) {
        this.transactions = transactions;
        this.connectionTransactions = connectionTransactions;
    }

    @Override
    public Spec spec() {
        return Spec.of("abortTransaction")
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
            return Endings.rollback(connectionTransactions, call);
        }
        if (!call.database().equals("admin")) {
            throw new CommandException(
                    ErrorCode.Unauthorized, "abortTransaction may only be run against the admin database.");
        }
        Session session = Objects.requireNonNull(call.session());
        transactions.abort(session, call.txnNumber());
        return Reply.ok();
    }
}
