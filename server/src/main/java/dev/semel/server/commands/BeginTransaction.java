package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.replica.ReplicaSet;
import dev.semel.server.session.ConnectionTransactions;
import dev.semel.server.session.Session;
import dev.semel.server.session.SessionTransactions;
import dev.semel.store.Commit;
import dev.semel.store.Isolation;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;

/** {@code beginTransaction}: TokuMX's way to begin one, for the session that the command names or else for its connection. */
final class BeginTransaction implements Command<Isolation> {
    private static final ErrorCode NOT_A_STRING = ErrorCode.location(16738);
    private static final ErrorCode UNKNOWN = ErrorCode.location(16739);
    private static final ErrorCode NOT_PRIMARY = ErrorCode.location(16807);

    private final ConnectionTransactions transactions;
    private final SessionTransactions sessionTransactions;
    private final ReplicaSet replicaSet;

    BeginTransaction(
            ConnectionTransactions transactions, SessionTransactions sessionTransactions, ReplicaSet replicaSet) {
        this.transactions = transactions;
        this.sessionTransactions = sessionTransactions;
        this.replicaSet = replicaSet;
    }

    @Override
    public Spec spec() {
        return Spec.of("beginTransaction").needs(Rights.USERS);
    }

    @Override
    public Isolation parse(Arguments in) {
        return switch (in.optional("isolation")) {
            case null -> Isolation.SNAPSHOT;
            case Value.Str(var name) ->
                switch (name.toString()) {
                    case "mvcc" -> Isolation.SNAPSHOT;
                    case "serializable" -> Isolation.SERIALIZABLE;
                    case "readUncommitted" -> Isolation.READ_UNCOMMITTED;
                    default -> throw new CommandException(UNKNOWN, "unknown isolation level '%s'", name);
                };
            case Value other ->
                throw new CommandException(
                        NOT_A_STRING,
                        "isolation must be a string, found %s",
                        other.type().alias());
        };
    }

    @Override
    public Reply run(Isolation isolation, Call call) {
        if (isolation == Isolation.SERIALIZABLE && !replicaSet.isWritablePrimary()) {
            throw new CommandException(NOT_PRIMARY, "a serializable transaction can be begun on a primary only");
        }
        Session session = call.session();
        if (session != null && sessionTransactions.isOpen(session.id())) {
            throw new CommandException(
                    ErrorCode.ConflictingOperationInProgress,
                    "The session has a transaction open that 'startTransaction' has begun. Commit it or abort it"
                            + " first");
        }
        Commit mark = transactions.begin(
                call.transactionKey(),
                call.transaction(),
                call.client().connectionId(),
                isolation,
                call.client().lockTimeout(),
                call.interruption());
        if (mark != null) {
            call.committed(mark);
        }
        return Reply.of(new BsonWriter().put("status", "transaction began"));
    }
}
