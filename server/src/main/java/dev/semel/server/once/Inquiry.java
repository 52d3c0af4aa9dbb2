package dev.semel.server.once;

import dev.semel.server.session.SessionId;
import dev.semel.store.Commit;
import dev.semel.store.Isolation;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Finds out, for a client that cannot know, whether a number's write or transaction has happened. The answer that it
 * has not stays true: a fence takes the number's place before the answer is given.
 */
public final class Inquiry {
    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(4);

    private final Transactions transactions;
    private final TransactionTable table;

    /** What has become of a number. */
    public sealed interface Finding {
        /** The record contains which statements; a transaction has none. */
        record Applied(NumberRecord record, Statements statements) implements Finding {}

        /** It never will be. The commit is that of the fence, null if there was no need of one. */
        record NotApplied(@Nullable Commit fence) implements Finding {}

        record Unknown() implements Finding {}
    }

    public Inquiry(Transactions transactions, TransactionTable table) {
        this.transactions = transactions;
        this.table = table;
    }

    /**
     * By the command that has checked the session out. Waits for a transaction of several commands that has written in the
     * session.
     *
     * @param sentAfter before which the client has not sent it; null if it does not say
     * @param isOwn whether the question itself came in that session
     */
    public Finding ask(
            SessionId session, long number, @Nullable Instant sentAfter, boolean isOwn, Interruption interruption) {
        LockPolicy policy = LockPolicy.of(LockPolicy.Kind.STATEMENT, LOCK_TIMEOUT);
        try (Transaction transaction = transactions.begin(Isolation.STATEMENT, policy, interruption)) {
            NumberRecord newest = table.newest(session, transaction);
            if (newest == null) {
                // A driver puts its own session in place of what its caller chose. If a session has never been
                // used, the write may have come under another one.
                return !isOwn || isForgotten(sentAfter) ? new Finding.Unknown() : fenced(transaction, session, number);
            }
            if (newest.number() < number) {
                return fenced(transaction, session, number);
            }
            NumberRecord record = newest.number() == number ? newest : table.superseded(session, number);
            if (record == null) {
                return table.remembers(session, newest, number) ? new Finding.NotApplied(null) : new Finding.Unknown();
            }
            return record.use() == NumberRecord.Use.FENCE
                    ? new Finding.NotApplied(null)
                    : new Finding.Applied(record, table.statements(session, record));
        }
    }

    /** Whether the session may have had a row that has been removed since. */
    private boolean isForgotten(@Nullable Instant sentAfter) {
        Long latest = table.forgottenMillis();
        return latest != null && (sentAfter == null || sentAfter.toEpochMilli() <= latest);
    }

    private Finding fenced(Transaction transaction, SessionId session, long number) {
        table.fence(transaction, session, number);
        Commit commit = transaction.commit();
        commit.awaitApplied();
        return new Finding.NotApplied(commit);
    }
}
