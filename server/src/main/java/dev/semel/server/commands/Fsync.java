package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.store.Transactions;
import dev.semel.wire.bson.BsonWriter;

/** {@code fsync}: returns when everything that was visible before it survives a power loss. */
final class Fsync implements Command<Fsync.Args> {
    private final Transactions transactions;

    record Args() {}

    Fsync(Transactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Spec spec() {
        return Spec.of("fsync")
                .with(Spec.Trait.ADMIN_ONLY, Spec.Trait.OUTSIDE_TRANSACTION)
                .needs(Rights.onCluster(Action.fsync));
    }

    @Override
    public Args parse(Arguments in) {
        if (in.bool("lock", false)) {
            in.notHonoured("lock");
        }
        in.notHonoured("fsyncLockAcquisitionTimeoutMillis");
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        transactions.awaitDurable(transactions.visibleTime(), call.interruption());
        return Reply.of(new BsonWriter().put("numFiles", 1));
    }
}
