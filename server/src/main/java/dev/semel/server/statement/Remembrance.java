package dev.semel.server.statement;

import dev.semel.server.catalog.WriteOrigin;
import dev.semel.server.command.Call;
import dev.semel.server.once.Attempt;
import dev.semel.server.once.Gate;
import dev.semel.server.once.StatementRecord;
import dev.semel.server.once.StatementRecord.Answered;
import dev.semel.server.once.StatementRecord.Deleted;
import dev.semel.server.once.StatementRecord.Inserted;
import dev.semel.server.once.StatementRecord.Updated;
import dev.semel.server.session.OpenTransaction;
import dev.semel.server.session.Session;
import dev.semel.store.Transaction;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a command that may come again knows of its statements from before, and leaves of them for later. Of any other
 * command there is nothing to know and nothing is left.
 */
final class Remembrance {
    private static final ErrorCode NOT_THE_SAME = ErrorCode.location(40606);

    private final @Nullable Attempt attempt;
    private final Call call;

    /** The session as the operation log names it, made once for all statements; null where nothing is left. */
    private @Nullable RawDocument lsid;

    private Remembrance(@Nullable Attempt attempt, Call call) {
        this.attempt = attempt;
        this.call = call;
    }

    static Remembrance of(Call call, Gate gate, int statements) {
        call.checkStatements(statements);
        Session session = call.session();
        if (session == null || call.txnNumber() < 0 || call.isInSessionTransaction()) {
            return new Remembrance(null, call);
        }
        OpenTransaction inside = call.transaction();
        Attempt attempt = inside == null
                ? gate.enter(session.id(), call.txnNumber())
                : gate.enter(session.id(), call.txnNumber(), inside.transaction());
        return new Remembrance(attempt, call);
    }

    /** Whether the command can come once only, as far as anybody knows. */
    boolean isNone() {
        return attempt == null;
    }

    // ---- from before

    /** Gives the statements that have been run the outcomes they had; how many have. */
    int recall(List<Write> writes, Results results) {
        Attempt known = attempt;
        if (known == null || known.isFirst()) {
            return 0;
        }
        for (int i = 0; i < writes.size(); i++) {
            int id = call.stmtId(i);
            StatementRecord record = known.find(id);
            if (record != null) {
                results.retried(i, id, outcome(writes.get(i), record, id));
            }
        }
        answered(results.retried());
        return results.retried();
    }

    private void answered(int statements) {
        if (statements > 0) {
            call.counters().retriedCommands.increment();
            call.counters().retriedStatements.add(statements);
        }
    }

    private static Outcome outcome(Write write, StatementRecord record, int id) {
        return switch (record) {
            case Inserted() when write instanceof Write.Insert -> Outcome.INSERTED;
            case Updated(boolean matched, boolean modified, var upserted)
            when write instanceof Write.Update -> new Outcome.Updated(matched ? 1 : 0, modified ? 1 : 0, upserted);
            case Deleted(boolean found) when write instanceof Write.Delete -> new Outcome.Deleted(found ? 1 : 0);
            default -> throw notTheSame(id);
        };
    }

    /** The answer that a command of a single statement was given; null if it is to be run. */
    @Nullable
    RawDocument recallAnswer() {
        Attempt known = attempt;
        int id = call.stmtId(0);
        StatementRecord record = known == null || known.isFirst() ? null : known.find(id);
        if (record == null) {
            return null;
        }
        answered(1);
        if (record instanceof Answered(RawDocument reply)) {
            return reply;
        }
        throw notTheSame(id);
    }

    private static CommandException notTheSame(int id) {
        return new CommandException(
                NOT_THE_SAME,
                "retry request is not compatible with the previous write of this transaction number: the statement with"
                        + " id %d was of another kind",
                id);
    }

    // ---- for later

    /** What the transaction writes from here on is the work of this statement, as the operation log has to say. */
    void stating(Transaction transaction, int index) {
        Session session = call.session();
        if (attempt == null || session == null) {
            return;
        }
        RawDocument named = lsid;
        if (named == null) {
            named = session.id().toDocument();
            lsid = named;
        }
        transaction.append(new WriteOrigin(named, call.txnNumber(), call.stmtId(index)));
    }

    /** A transaction begins, or begins anew. */
    void begin() {
        if (attempt != null) {
            attempt.begin();
        }
    }

    /** The transaction has come to the end of these statements; those that failed are to be evaluated when they come again. */
    void write(Transaction transaction, Results results, int start, int end) {
        Attempt known = attempt;
        if (known == null) {
            return;
        }
        for (int i = start; i < end; i++) {
            StatementRecord record = results.isRetried(i) ? null : record(results.get(i));
            if (record != null) {
                known.add(call.stmtId(i), record);
            }
        }
        known.writeTo(transaction);
    }

    private static @Nullable StatementRecord record(@Nullable Outcome outcome) {
        return switch (outcome) {
            case Outcome.Inserted() -> StatementRecord.INSERTED;
            case Outcome.Updated(long matched, long modified, var upserted) ->
                new Updated(matched > 0, modified > 0, upserted);
            case Outcome.Deleted(long documents) -> new Deleted(documents > 0);
            case Outcome.Failed ignored -> null;
            case null -> null;
        };
    }

    void writeAnswer(Transaction transaction, RawDocument reply) {
        Attempt known = attempt;
        if (known != null) {
            known.add(call.stmtId(0), new Answered(reply));
            known.writeTo(transaction);
        }
    }

    /** The transaction has its place in the log; others of the same command may follow. */
    void appended() {
        if (attempt != null) {
            attempt.appended();
        }
    }
}
