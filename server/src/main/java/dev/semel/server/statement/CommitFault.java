package dev.semel.server.statement;

import dev.semel.server.command.Call;
import dev.semel.server.failpoint.FailPoint.OnPrimaryTransactionalWrite;
import dev.semel.server.failpoint.Hit;
import dev.semel.wire.CommandException;

/** The place of the fail point {@code onPrimaryTransactionalWrite}. */
final class CommitFault {
    private CommitFault() {}

    /** Statements that share a transaction have run and are about to commit; each is an occasion. */
    static void inject(int statements, Call call) {
        for (int i = 0; i < statements; i++) {
            inject(call);
        }
    }

    /** A statement of a write has run and is about to commit. */
    static void inject(Call call) {
        if (!call.isRetryableWrite()) {
            return;
        }
        Hit<OnPrimaryTransactionalWrite> hit =
                call.failPoints().hit(OnPrimaryTransactionalWrite.NAME, OnPrimaryTransactionalWrite.class);
        if (hit == null) {
            return;
        }
        if (hit.point().closesConnection()) {
            call.cutConnection();
        }
        if (hit.point().beforeCommit() != null) {
            throw new CommandException(
                    hit.point().beforeCommit(),
                    "the write with txnNumber %d was failed by the fail point '%s' before its commit",
                    call.txnNumber(),
                    OnPrimaryTransactionalWrite.NAME);
        }
    }
}
