package dev.semel.server.statement;

import dev.semel.server.catalog.WriteOrigin;
import dev.semel.server.command.Call;
import dev.semel.server.command.Reply;
import dev.semel.server.once.Attempt;
import dev.semel.server.once.Fingerprint;
import dev.semel.server.once.Gate;
import dev.semel.server.once.StatementRecord;
import dev.semel.server.once.StatementRecord.Answered;
import dev.semel.server.once.StatementRecord.Deleted;
import dev.semel.server.once.StatementRecord.Inserted;
import dev.semel.server.once.StatementRecord.Updated;
import dev.semel.server.once.TokenAttempt;
import dev.semel.server.session.OpenTransaction;
import dev.semel.server.session.Session;
import dev.semel.store.Transaction;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The retry history of a command: outcomes of its statements that earlier attempts stored, and those that it stores itself. The key is
 * the command's token, its transaction number, or both. Does nothing for commands that cannot be retried.
 */
final class RetryHistory implements AutoCloseable {
    private static final ErrorCode NOT_THE_SAME = ErrorCode.location(40606);

    private final TokenGate tokens;
    private final @Nullable TokenAttempt token;
    private final @Nullable Attempt attempt;
    private final Call call;

    /** The session as the operation log names it, made once for all statements; null until it is needed. */
    private @Nullable RawDocument lsid;

    // For the token: the next statement, whether an earlier one has to run again, whether the history is complete; each
    // for
    // the current transaction and as of the last append.
    private int next;
    private int appendedNext;
    private boolean isLeftOpen;
    private boolean wasLeftOpen;
    private boolean ends;
    private boolean hasEnded;

    private RetryHistory(TokenGate tokens, @Nullable TokenAttempt token, @Nullable Attempt attempt, Call call) {
        this.tokens = tokens;
        this.token = token;
        this.attempt = attempt;
        this.call = call;
        this.hasEnded = token != null && token.isEnded();
    }

    /** The token comes first: it has an answer whatever the session and its number. */
    static RetryHistory of(Call call, Gate gate, TokenGate tokens, int statements, Supplier<Fingerprint> fingerprint) {
        call.checkStatements(statements);
        TokenAttempt token = tokens.enter(call, fingerprint);
        boolean entered = false;
        try {
            Attempt attempt = token != null && token.isEnded() ? null : attempt(call, gate);
            entered = true;
            return new RetryHistory(tokens, token, attempt, call);
        } finally {
            if (!entered && token != null) {
                token.close();
            }
        }
    }

    private static @Nullable Attempt attempt(Call call, Gate gate) {
        Session session = call.session();
        if (session == null || call.txnNumber() < 0 || call.isInSessionTransaction()) {
            return null;
        }
        OpenTransaction inside = call.transaction();
        return inside == null
                ? gate.enter(session.id(), call.txnNumber())
                : gate.enter(session.id(), call.txnNumber(), inside.transaction());
    }

    /** Whether the command is sent only once, as far as is known. */
    boolean isNone() {
        return attempt == null && token == null;
    }

    /** Others with the same token may come in. */
    @Override
    public void close() {
        if (token != null) {
            token.close();
        }
    }

    // ---- from before

    /** Gives the statements that have been run the outcomes they had; whether there is nothing left to run. */
    boolean recall(List<Write> writes, Results results) {
        TokenAttempt named = token;
        Attempt known = attempt;
        for (int i = 0; i < writes.size(); i++) {
            StatementRecord byToken = named == null ? null : named.find(i);
            if (byToken != null) {
                results.recalled(i, TokenOutcomes.outcome(byToken));
            } else if (known != null && !known.isFirst()) {
                int id = call.stmtId(i);
                StatementRecord record = known.find(id);
                if (record != null) {
                    results.retried(i, id, outcome(writes.get(i), record, id));
                }
            }
        }
        answered(results.retried());
        return hasEnded || results.retried() == writes.size();
    }

    private void answered(int statements) {
        if (statements > 0) {
            call.count(call.counters().retriedCommands);
            call.count(call.counters().retriedStatements, statements);
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

    /** The recorded reply to a command of a single statement; null if it has to be run. */
    @Nullable
    Reply recallAnswer() {
        StatementRecord byToken = token == null ? null : token.find(0);
        if (byToken != null) {
            answered(1);
            return switch (byToken) {
                case Answered(RawDocument reply) -> Reply.of(reply);
                case StatementRecord.Failed(CommandException error, boolean ofUpdate) -> throw error;
                default -> throw new IllegalStateException("not an answer: " + byToken);
            };
        }
        Attempt known = attempt;
        int id = call.stmtId(0);
        StatementRecord record = known == null || known.isFirst() ? null : known.find(id);
        if (record == null) {
            return null;
        }
        answered(1);
        if (record instanceof Answered(RawDocument reply)) {
            Reply again = Reply.of(reply);
            again.fields().put("retriedStmtId", id);
            return again;
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

    /** A transaction begins, or starts again. */
    void begin() {
        if (attempt != null) {
            attempt.begin();
        }
        if (token != null) {
            token.begin();
            next = appendedNext;
            isLeftOpen = wasLeftOpen;
            ends = false;
        }
    }

    /**
     * The transaction has come to the end of these statements. Those that failed are evaluated again if they are sent again
     * by their number; by a token they have failed for good.
     */
    void write(Transaction transaction, List<Write> writes, Results results, int start, int end, boolean isLast) {
        writeNumber(transaction, results, start, end);
        writeToken(transaction, writes, results, end, isLast);
    }

    private void writeNumber(Transaction transaction, Results results, int start, int end) {
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

    private void writeToken(Transaction transaction, List<Write> writes, Results results, int end, boolean isLast) {
        TokenAttempt known = token;
        if (known == null) {
            return;
        }
        for (; next < end; next++) {
            Outcome outcome = results.get(next);
            StatementRecord record = TokenOutcomes.record(outcome, writes.get(next) instanceof Write.Update);
            if (record == null) {
                isLeftOpen |= outcome != null;
            } else if (known.find(next) == null) {
                known.add(next, record);
            }
        }
        ends = isLast && !isLeftOpen;
        known.writeTo(transaction, ends);
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
        writeTokenAnswer(transaction, new Answered(reply));
    }

    private void writeTokenAnswer(Transaction transaction, StatementRecord record) {
        TokenAttempt known = token;
        if (known != null) {
            known.add(0, record);
            known.writeTo(transaction, true);
            ends = true;
        }
    }

    /** The transaction has its place in the log; others of the same command may follow. */
    void appended() {
        if (attempt != null) {
            attempt.appended();
        }
        if (token != null) {
            token.appended();
            appendedNext = next;
            wasLeftOpen = isLeftOpen;
            hasEnded |= ends;
        }
    }

    // ---- what no commit of the command contains

    /** The command has come to its end: what has failed has left nothing, and so has stored nothing. */
    void finish(List<Write> writes, Results results) {
        if (token != null && !hasEnded) {
            begin();
            tokens.store(call, transaction -> writeToken(transaction, writes, results, writes.size(), true));
            appended();
        }
    }

    /** The same for a command that is one statement and has failed. */
    void failed(CommandException error) {
        if (token != null && Failures.isResult(error)) {
            begin();
            tokens.store(call, transaction -> writeTokenAnswer(transaction, new StatementRecord.Failed(error, false)));
        }
    }
}
