package dev.semel.server.once;

import dev.semel.server.once.NumberRecord.Use;
import dev.semel.server.session.SessionId;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * One arrival of a command with a transaction number: what its statements came to when it arrived before, and what this
 * arrival adds to that, in one transaction or in several. For the thread that has checked the session out.
 */
public final class Attempt {
    /** Statements that take more are put into rows of their own. */
    private static final int ROW_STATEMENT_BYTES_MAX = 512;

    private final TransactionTable table;
    private final SessionId session;
    private final long number;

    /** The session's newest row when the command came; null if there was none. */
    private final @Nullable NumberRecord previous;

    /** What has become of statements of this number; null if it has not been here. */
    private final @Nullable Statements done;

    /** Whether a higher number has come, so that nothing can be added any more. */
    private final boolean isClosed;

    /** The transaction of several commands in which it has come; null for a command by itself. */
    private final @Nullable Transaction within;

    private final StatementRuns runs;
    private int parts;

    // As of the last transaction that was appended to the log.
    private StatementRuns.Mark appendedRuns;
    private int appendedParts;
    private @Nullable NumberRecord appended;

    /** Of the transaction at hand. */
    private @Nullable NumberRecord row;

    private Attempt(
            TransactionTable table,
            SessionId session,
            long number,
            @Nullable NumberRecord previous,
            @Nullable Statements done,
            boolean isClosed,
            @Nullable Transaction within) {
        this.table = table;
        this.session = session;
        this.number = number;
        this.previous = previous;
        this.done = done;
        this.isClosed = isClosed;
        this.within = within;
        if (done == null || previous == null) {
            runs = new StatementRuns();
        } else {
            runs = new StatementRuns(previous.bytes(), NumberRecord.HEADER_BYTES);
            parts = previous.parts();
            appended = previous;
        }
        appendedRuns = runs.mark();
        appendedParts = parts;
    }

    static Attempt first(
            TransactionTable table,
            SessionId session,
            long number,
            @Nullable NumberRecord previous,
            @Nullable Transaction within) {
        return new Attempt(table, session, number, previous, null, false, within);
    }

    static Attempt again(TransactionTable table, SessionId session, NumberRecord newest, @Nullable Transaction within) {
        Statements done = table.statements(session, newest, within);
        return new Attempt(table, session, newest.number(), newest, done, false, within);
    }

    static Attempt superseded(TransactionTable table, SessionId session, NumberRecord kept, NumberRecord newest) {
        return new Attempt(table, session, kept.number(), newest, table.statements(session, kept), true, null);
    }

    /** Whether nothing is known of this number: no statement needs to be looked up. */
    public boolean isFirst() {
        return done == null;
    }

    /** The outcome of a statement; null if it has to be run. {@code TransactionTooOld} if that is no longer possible. */
    public @Nullable StatementRecord find(int stmtId) {
        StatementRecord found = done == null ? null : done.find(stmtId);
        NumberRecord newest = previous;
        if (found == null && isClosed && newest != null) {
            throw TransactionTable.tooOld(session, number, newest.number());
        }
        return found;
    }

    // ---- one transaction

    /** A transaction begins, perhaps again: what was added since the last one counts no more. */
    public void begin() {
        runs.backTo(appendedRuns);
        parts = appendedParts;
    }

    /** The transaction has done this. */
    public void add(int stmtId, StatementRecord record) {
        runs.add(stmtId, record);
    }

    /** Puts what was added into the transaction. Nothing if nothing was. */
    public void writeTo(Transaction transaction) {
        StatementRuns.Mark now = runs.mark();
        if (now.equals(appendedRuns)) {
            return;
        }
        NumberRecord before = appended;
        if (before == null) {
            table.supersede(transaction, session, previous);
        }
        if (runs.length() > ROW_STATEMENT_BYTES_MAX) {
            parts++;
            transaction.put(Table.RECORDS, RecordKeys.part(session, number, parts), runs.toBytes(0));
            runs.backTo(StatementRuns.Mark.EMPTY);
        }
        NumberRecord next =
                before == null ? table.row(Use.WRITE, number, previous, parts, runs) : table.grown(before, parts, runs);
        if (within == null) {
            table.put(transaction, session, next);
        } else {
            table.putWithin(transaction, session, next);
        }
        row = next;
    }

    /** The transaction has its place in the log. */
    public void appended() {
        NumberRecord written = row;
        if (written != null) {
            appended = written;
            appendedRuns = runs.mark();
            appendedParts = parts;
            row = null;
        }
    }
}
