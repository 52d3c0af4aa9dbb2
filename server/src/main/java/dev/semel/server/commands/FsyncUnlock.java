package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.store.Transactions;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;

/** {@code fsyncUnlock}: takes back one {@code fsync} with {@code lock}, whichever client it came from. */
final class FsyncUnlock implements Command<FsyncUnlock.Args> {
    private final Transactions transactions;

    record Args() {}

    FsyncUnlock(Transactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Spec spec() {
        return Spec.of("fsyncUnlock")
                .with(Spec.Trait.ADMIN_ONLY, Spec.Trait.OUTSIDE_TRANSACTION)
                .needs(Rights.onCluster(Action.unlock));
    }

    @Override
    public Args parse(Arguments in) {
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        int left = transactions.barrier().open();
        if (left < 0) {
            throw new CommandException(ErrorCode.IllegalOperation, "fsyncUnlock called when not locked");
        }
        return Reply.of(new BsonWriter().put("info", "fsyncUnlock completed").put("lockCount", (long) left));
    }
}
