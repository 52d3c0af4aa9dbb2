package dev.semel.server.once;

import dev.semel.server.session.SessionId;
import dev.semel.store.Transaction;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import org.jspecify.annotations.Nullable;

/** Where a retryable write comes in: whether it is new, has been here, or has come too late. */
public final class Gate {
    private final TransactionTable table;

    public Gate(TransactionTable table) {
        this.table = table;
    }

    /** By the command that has checked the session out, and keeps it until the write is applied. */
    public Attempt enter(SessionId session, long number) {
        return enter(session, number, table.newest(session), null);
    }

    /** The same in a transaction of several commands, where a command may come twice as well as anywhere. */
    public Attempt enter(SessionId session, long number, Transaction within) {
        return enter(session, number, table.newest(session, within), within);
    }

    private Attempt enter(SessionId session, long number, @Nullable NumberRecord newest, @Nullable Transaction within) {
        if (newest == null || newest.number() < number) {
            return Attempt.first(table, session, number, newest, within);
        }
        if (newest.number() > number) {
            NumberRecord kept = newest.hasKept() ? table.superseded(session, number) : null;
            if (kept == null || kept.use() != NumberRecord.Use.WRITE) {
                throw TransactionTable.tooOld(session, number, newest.number());
            }
            return Attempt.superseded(table, session, kept, newest);
        }
        return switch (newest.use()) {
            case WRITE -> Attempt.again(table, session, newest, within);
            case TRANSACTION ->
                throw new CommandException(
                        ErrorCode.ConflictingOperationInProgress,
                        "Cannot run a retryable write with txnNumber %d on session %s: the number is a transaction's",
                        number,
                        session);
            case FENCE -> throw TransactionTable.fenced(session, number);
        };
    }
}
