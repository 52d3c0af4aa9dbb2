package dev.semel.server.once;

import dev.semel.server.once.TokenRecord.State;
import dev.semel.server.once.TokenTable.Forgotten;
import dev.semel.store.Commit;
import dev.semel.store.Isolation;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether the command with a token has happened. The answer that it has not stays true: a fence takes
 * the token before the answer is given, and is kept as long as an outcome would be.
 */
public final class TokenInquiry {
    private final Transactions transactions;
    private final TokenTable table;

    /** What has become of a token. */
    public sealed interface Finding {
        /** All of it or, if the record's state says so, a part. */
        record Applied(TokenRecord record, Statements statements) implements Finding {}

        /** The commit is that of the fence; null if there was one already. */
        record NotApplied(@Nullable Commit fence) implements Finding {}

        /** It is running, or has run in a transaction that is open. */
        record InProgress() implements Finding {}

        /** Nothing is known of it, and that may be because it is too long ago. */
        record Forgotten() implements Finding {}
    }

    public TokenInquiry(Transactions transactions, TokenTable table) {
        this.transactions = transactions;
        this.table = table;
    }

    /**
     * Waits for a command that runs, up to the time limit.
     *
     * @param sentAfter before which the client has not sent it; null if it does not say
     * @param keep for how long the command wanted its outcome to be kept; null if it did not say
     */
    public Finding ask(
            Token token,
            @Nullable Instant sentAfter,
            @Nullable Duration keep,
            Duration limit,
            Interruption interruption) {
        // Another kind of statement would wait for a command as long as that takes.
        LockPolicy policy = LockPolicy.of(LockPolicy.Kind.CATALOG_CHANGE, limit);
        try (Transaction transaction = transactions.begin(Isolation.STATEMENT, policy, interruption)) {
            TokenRecord record = table.locked(token, transaction);
            if (record == null) {
                return mayBeForgotten(sentAfter, keep) ? new Finding.Forgotten() : fenced(transaction, token, keep);
            }
            return record.state() == State.FENCE
                    ? new Finding.NotApplied(null)
                    : new Finding.Applied(record, table.statements(token, record, transaction));
        } catch (CommandException e) {
            if (e.code().equals(ErrorCode.LockTimeout)) {
                return new Finding.InProgress();
            }
            throw e;
        }
    }

    /**
     * Whether its record may have been removed. One that was written after the time, to be kept for so long, can only be
     * among those removed if they reach that far; of one without its own time less is known, as others may be kept
     * for a shorter time.
     */
    private boolean mayBeForgotten(@Nullable Instant sentAfter, @Nullable Duration keep) {
        Forgotten forgotten = table.forgotten();
        if (forgotten == null) {
            return false;
        }
        if (sentAfter == null) {
            return true;
        }
        long sent = sentAfter.toEpochMilli();
        return keep == null
                ? sent <= forgotten.writtenMillis()
                : sent <= forgotten.writtenMillis() && sent + keep.toMillis() <= forgotten.expiredMillis();
    }

    private Finding fenced(Transaction transaction, Token token, @Nullable Duration keep) {
        table.fence(transaction, token, keep);
        Commit commit = transaction.commit();
        commit.awaitApplied();
        return new Finding.NotApplied(commit);
    }
}
