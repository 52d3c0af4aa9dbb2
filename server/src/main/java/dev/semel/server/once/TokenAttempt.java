package dev.semel.server.once;

import dev.semel.server.once.TokenRecord.State;
import dev.semel.store.Isolation;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.lock.DeadlockVictim;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import org.jspecify.annotations.Nullable;

/**
 * One arrival of a command with a token: the outcomes of its statements when it arrived before, and what this arrival adds
 * to that, in one transaction or in several. No other command gets the token before it is closed or, in a transaction of
 * several commands, before that has ended.
 */
public final class TokenAttempt implements AutoCloseable {
    /** Statements that take more are put into rows of their own. */
    private static final int ROW_STATEMENT_BYTES_MAX = 512;

    private final TokenTable table;
    private final Token token;
    private final Fingerprint fingerprint;

    /** Holds the token's lock and writes nothing; null in a transaction of several commands, which has the lock itself. */
    private final @Nullable Transaction guard;

    /** What has become of statements of this command; null if it has not been here. */
    private final @Nullable Statements done;

    private final boolean isEnded;
    private final long writtenMillis;
    private final long expiresMillis;
    private final StatementRuns runs;
    private int parts;

    // As of the last transaction that was appended to the log.
    private StatementRuns.Mark appendedRuns;
    private int appendedParts;
    private @Nullable TokenRecord appended;

    /** Of the transaction at hand. */
    private @Nullable TokenRecord row;

    private TokenAttempt(
            TokenTable table,
            TokenUse use,
            Fingerprint fingerprint,
            @Nullable TokenRecord known,
            @Nullable Statements done,
            @Nullable Transaction guard) {
        this.table = table;
        this.token = use.token();
        this.fingerprint = fingerprint;
        this.guard = guard;
        this.done = done;
        if (known == null) {
            isEnded = false;
            runs = new StatementRuns();
        } else {
            isEnded = known.state() == State.ENDED;
            runs = new StatementRuns(known.bytes(), known.runsStart());
            parts = known.parts();
            appended = known;
        }
        writtenMillis = table.now();
        expiresMillis = table.expiry(use.keep());
        appendedRuns = runs.mark();
        appendedParts = parts;
    }

    /** For a command by itself: waits until no other command uses the token. */
    public static TokenAttempt alone(
            TokenTable table,
            TokenUse use,
            Fingerprint fingerprint,
            Transactions transactions,
            LockPolicy policy,
            Interruption interruption) {
        while (true) {
            Transaction guard = transactions.begin(Isolation.STATEMENT, policy, interruption);
            boolean entered = false;
            try {
                TokenAttempt attempt = enter(table, use, fingerprint, guard, guard);
                entered = true;
                return attempt;
            } catch (DeadlockVictim victim) {
                interruption.check();
            } finally {
                if (!entered) {
                    guard.close();
                }
            }
        }
    }

    /** In a transaction of several commands, with which its record is committed or rolled back. */
    public static TokenAttempt within(
            TokenTable table, TokenUse use, Fingerprint fingerprint, Transaction transaction) {
        return enter(table, use, fingerprint, transaction, null);
    }

    private static TokenAttempt enter(
            TokenTable table, TokenUse use, Fingerprint fingerprint, Transaction holder, @Nullable Transaction guard) {
        Token token = use.token();
        TokenRecord known = table.locked(token, holder);
        if (known == null) {
            table.checkRoom();
            return new TokenAttempt(table, use, fingerprint, null, null, guard);
        }
        TokenTable.check(token, known, fingerprint);
        return new TokenAttempt(table, use, fingerprint, known, table.statements(token, known, holder), guard);
    }

    /** Whether it has been answered: nothing is run, whatever is known of its statements. */
    public boolean isEnded() {
        return isEnded;
    }

    /** The outcome of a statement; null if it has not been run, or has to be run again. */
    public @Nullable StatementRecord find(int index) {
        return done == null ? null : done.find(index);
    }

    // ---- one transaction

    /** A transaction begins, perhaps again: what was added since the last one counts no more. */
    public void begin() {
        runs.backTo(appendedRuns);
        parts = appendedParts;
        row = null;
    }

    /** The transaction has done this. */
    public void add(int index, StatementRecord record) {
        runs.add(index, record);
    }

    /** Puts what was added into the transaction; {@code ends} if the command has come to its end with it. */
    public void writeTo(Transaction transaction, boolean ends) {
        if (!ends && runs.mark().equals(appendedRuns)) {
            return;
        }
        TokenRecord before = appended;
        if (!ends && runs.length() > ROW_STATEMENT_BYTES_MAX) {
            parts++;
            table.putPart(transaction, token, parts, runs.toBytes(0));
            runs.backTo(StatementRuns.Mark.EMPTY);
        }
        TokenRecord next = TokenRecord.of(
                ends ? State.ENDED : State.PARTLY, token, fingerprint, writtenMillis, expiresMillis, parts, runs);
        table.put(transaction, token, before, next);
        row = next;
    }

    /** The transaction has its place in the log. */
    public void appended() {
        TokenRecord written = row;
        if (written != null) {
            appended = written;
            appendedRuns = runs.mark();
            appendedParts = parts;
            row = null;
        }
    }

    /** Others may have the token. What was written must be applied, or given up. */
    @Override
    public void close() {
        if (guard != null) {
            guard.close();
        }
    }
}
