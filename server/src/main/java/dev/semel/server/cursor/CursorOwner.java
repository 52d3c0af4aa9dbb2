package dev.semel.server.cursor;

import dev.semel.server.command.Call;
import dev.semel.server.session.Session;
import dev.semel.server.session.SessionId;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import org.jspecify.annotations.Nullable;

/** Who may ask a cursor for more. */
final class CursorOwner {
    private static final long NO_TRANSACTION = -1;

    private CursorOwner() {}

    static @Nullable SessionId session(Call call) {
        Session session = call.session();
        return session == null ? null : session.id();
    }

    /** The number of the session transaction that a command belongs to; -1 outside. */
    static long transaction(Call call) {
        return call.isInSessionTransaction() ? call.txnNumber() : NO_TRANSACTION;
    }

    /** A cursor answers only to the session that opened it; otherwise one client could read another's results. */
    static void check(Cursor cursor, Namespace namespace, Call call) {
        if (!cursor.namespace().equals(namespace)) {
            throw new CommandException(
                    ErrorCode.Unauthorized,
                    "Requested getMore on namespace '%s', but cursor belongs to a different namespace %s",
                    namespace,
                    cursor.namespace());
        }
        checkSession(cursor, session(call));
        checkTransaction(cursor, transaction(call));
    }

    private static void checkSession(Cursor cursor, @Nullable SessionId asking) {
        SessionId owner = cursor.session();
        if (owner == null && asking != null) {
            throw new CommandException(
                    ErrorCode.location(50736),
                    "Cannot run getMore on cursor %d, which was not created in a session, in session %s",
                    cursor.id(),
                    asking);
        }
        if (owner != null && asking == null) {
            throw new CommandException(
                    ErrorCode.location(50737),
                    "Cannot run getMore on cursor %d, which was created in session %s, without an lsid",
                    cursor.id(),
                    owner);
        }
        if (owner != null && asking != null && !owner.equals(asking)) {
            throw new CommandException(
                    ErrorCode.location(50738),
                    "Cannot run getMore on cursor %d, which was created in session %s, in session %s",
                    cursor.id(),
                    owner,
                    asking);
        }
    }

    /** What a transaction sees is for its own commands. */
    private static void checkTransaction(Cursor cursor, long asking) {
        long owner = cursor.txnNumber();
        if (owner == asking) {
            return;
        }
        if (owner == NO_TRANSACTION) {
            throw new CommandException(
                    ErrorCode.location(50739),
                    "Cannot run getMore on cursor %d, which was not created in a transaction, in transaction %d",
                    cursor.id(),
                    asking);
        }
        if (asking == NO_TRANSACTION) {
            throw new CommandException(
                    ErrorCode.location(50740),
                    "Cannot run getMore on cursor %d, which was created in transaction %d, without a txnNumber",
                    cursor.id(),
                    owner);
        }
        throw new CommandException(
                ErrorCode.location(50741),
                "Cannot run getMore on cursor %d, which was created in transaction %d, in transaction %d",
                cursor.id(),
                owner,
                asking);
    }
}
