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
import java.util.concurrent.TimeUnit;

/**
 * {@code fsync}: returns when everything that was visible before it survives a power loss; with {@code lock}, commits
 * wait from then on until as many {@code fsyncUnlock} have come, from any client.
 */
final class Fsync implements Command<Fsync.Args> {
    /** As in MongoDB. */
    private static final long TIMEOUT_MS = 90_000;

    private final Transactions transactions;

    record Args(boolean lock, long timeoutMs) {}

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
        return new Args(in.bool("lock", false), in.atLeast("fsyncLockAcquisitionTimeoutMillis", 0, TIMEOUT_MS));
    }

    @Override
    public Reply run(Args args, Call call) {
        if (!args.lock()) {
            awaitDurable(call);
            return Reply.of(new BsonWriter().put("numFiles", 1));
        }
        if (call.transaction() != null) {
            throw new CommandException(
                    ErrorCode.IllegalOperation,
                    "fsync with lock cannot run within a transaction: it would wait for it");
        }
        int count = transactions.barrier().close(call.interruption(), TimeUnit.MILLISECONDS.toNanos(args.timeoutMs()));
        boolean isDone = false;
        try {
            // They have passed the barrier; nothing is to be written behind it.
            transactions.applyAll();
            awaitDurable(call);
            isDone = true;
        } finally {
            if (!isDone) {
                transactions.barrier().open();
            }
        }
        return Reply.of(new BsonWriter()
                .put("info", "now locked against writes, use db.fsyncUnlock() to unlock")
                .put("lockCount", (long) count)
                .put("seeAlso", "http://dochub.mongodb.org/core/fsynccommand"));
    }

    private void awaitDurable(Call call) {
        transactions.awaitDurable(transactions.visibleTime(), call.interruption());
    }
}
