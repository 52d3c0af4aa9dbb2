package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.session.ConnectionTransactions;
import dev.semel.server.session.Session;
import dev.semel.store.Commit;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import java.util.Objects;

/** What the commands that end a transaction have in common, in both dialects. */
final class Endings {
    /** None of their own. */
    record Args() {}

    private Endings() {}

    static Spec spec(String name) {
        return Spec.of(name)
                .with(Trait.WRITES, Trait.WRITE_CONCERN, Trait.IN_TRANSACTION, Trait.ENDS_TRANSACTION)
                .needs(Rights.USERS);
    }

    static Args parse(Arguments in) {
        // By which a router finds the transaction; here the session does.
        in.ignored("recoveryToken");
        return new Args();
    }

    // ---- MongoDB's dialect

    /** The one whose transaction is to end; checked out by now. */
    static Session session(Call call) {
        if (!call.database().equals("admin")) {
            throw new CommandException(
                    ErrorCode.Unauthorized,
                    "%s may only be run against the admin database.",
                    call.spec().name());
        }
        return Objects.requireNonNull(call.session());
    }

    // ---- TokuMX's dialect

    static Reply commit(ConnectionTransactions transactions, Call call) {
        call.committed(transactions.commit(call.transactionKey(), call.transaction(), call.interruption()));
        return status("transaction committed");
    }

    static Reply rollback(ConnectionTransactions transactions, Call call) {
        Commit end = transactions.rollback(call.transactionKey(), call.transaction(), call.interruption());
        if (end != null) {
            call.committed(end);
        }
        return status("transaction rolled back");
    }

    private static Reply status(String status) {
        return Reply.of(new BsonWriter().put("status", status));
    }
}
