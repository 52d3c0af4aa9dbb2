package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.session.ConnectionTransactions;

/** {@code rollbackTransaction}: undoes everything since {@code beginTransaction}. */
final class RollbackTransaction implements Command<Endings.Args> {
    private final ConnectionTransactions transactions;

    RollbackTransaction(ConnectionTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Spec spec() {
        return Spec.of("rollbackTransaction").with(Trait.ENDS_TRANSACTION).needs(Rights.USERS);
    }

    @Override
    public Endings.Args parse(Arguments in) {
        return new Endings.Args();
    }

    @Override
    public Reply run(Endings.Args args, Call call) {
        return Endings.rollback(transactions, call);
    }
}
