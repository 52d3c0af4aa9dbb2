package dev.semel.server.cursor;

import dev.semel.server.command.Call;
import dev.semel.server.session.OpenTransaction;
import dev.semel.server.session.OpenTransaction.Dialect;
import dev.semel.server.session.Session;
import dev.semel.server.session.SessionId;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Who may ask for more of a cursor: only within the session and the transaction in which it was opened. */
final class CursorOwner {
    private CursorOwner() {}

    static @Nullable SessionId session(Call call) {
        Session session = call.session();
        return session == null ? null : session.id();
    }

    static void check(Cursor cursor, Namespace namespace, Call call) {
        if (!cursor.namespace().equals(namespace)) {
            throw new CommandException(
                    ErrorCode.Unauthorized,
                    "Requested getMore on namespace '%s', but cursor belongs to a different namespace %s",
                    namespace,
                    cursor.namespace());
        }
        if (!Objects.equals(cursor.owner(), call.owner())) {
            throw new CommandException(
                    ErrorCode.Unauthorized, "cursor id %d was not created by the authenticated user", cursor.id());
        }
        checkConnectionTransaction(cursor, call.transaction());
        checkSession(cursor, session(call));
        checkSessionTransaction(cursor, call.transaction());
    }

    /** A cursor answers only to the session that opened it; otherwise one client could read another's results. */
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

    /** In TokuMX's dialect, where the transaction is what a cursor belongs to first of all. */
    private static void checkConnectionTransaction(Cursor cursor, @Nullable OpenTransaction asking) {
        OpenTransaction owner = cursor.transaction();
        if (owner == asking) {
            return;
        }
        if (owner != null && owner.dialect() == Dialect.TOKUMX) {
            throw new CommandException(
                    ErrorCode.location(16811),
                    "Cannot run getMore on cursor %d, which was created in another client's transaction",
                    cursor.id());
        }
        if (asking != null && asking.dialect() == Dialect.TOKUMX) {
            throw new CommandException(
                    ErrorCode.location(16813),
                    "Cannot run getMore on cursor %d within a transaction, which it was not created in",
                    cursor.id());
        }
    }

    private static void checkSessionTransaction(Cursor cursor, @Nullable OpenTransaction asking) {
        OpenTransaction owner = cursor.transaction();
        if (owner == asking) {
            return;
        }
        if (owner == null && asking != null) {
            throw new CommandException(
                    ErrorCode.location(50739),
                    "Cannot run getMore on cursor %d, which was not created in a transaction, in transaction %d",
                    cursor.id(),
                    asking.txnNumber());
        }
        if (owner != null && asking == null) {
            throw new CommandException(
                    ErrorCode.location(50740),
                    "Cannot run getMore on cursor %d, which was created in transaction %d, without a txnNumber",
                    cursor.id(),
                    owner.txnNumber());
        }
        if (owner != null && asking != null) {
            throw new CommandException(
                    ErrorCode.location(50741),
                    "Cannot run getMore on cursor %d, which was created in transaction %d, in transaction %d",
                    cursor.id(),
                    owner.txnNumber(),
                    asking.txnNumber());
        }
    }
}
