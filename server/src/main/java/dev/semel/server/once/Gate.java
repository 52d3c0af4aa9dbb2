package dev.semel.server.once;

import dev.semel.server.session.SessionId;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;

/** Where a retryable write comes in: whether it is new, has been here, or has come too late. */
public final class Gate {
    private final TransactionTable table;

    public Gate(TransactionTable table) {
        this.table = table;
    }

    /** By whoever has checked the session out, and keeps it until the write is applied. */
    public Attempt enter(SessionId session, long number) {
        NumberRecord newest = table.newest(session);
        if (newest == null || newest.number() < number) {
            return Attempt.first(table, session, number, newest);
        }
        if (newest.number() > number) {
            NumberRecord kept = newest.hasKept() ? table.superseded(session, number) : null;
            if (kept == null || kept.use() != NumberRecord.Use.WRITE) {
                throw TransactionTable.tooOld(session, number, newest.number());
            }
            return Attempt.superseded(table, session, kept, newest);
        }
        return switch (newest.use()) {
            case WRITE -> Attempt.again(table, session, newest);
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
