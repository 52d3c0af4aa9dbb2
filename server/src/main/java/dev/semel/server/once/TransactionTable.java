package dev.semel.server.once;

import dev.semel.server.once.NumberRecord.Use;
import dev.semel.server.session.SessionId;
import dev.semel.server.session.SessionTransactions;
import dev.semel.server.session.SessionTransactions.Latest;
import dev.semel.store.CommitDraft;
import dev.semel.store.CommitListener;
import dev.semel.store.CommitRecord;
import dev.semel.store.Fact;
import dev.semel.store.RecordPart;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is stored of the sessions' transaction numbers. Code that reads a session's newest number to check another, or
 * writes one, has checked out the session until the write is applied.
 */
public final class TransactionTable implements SessionTransactions.Records {
    private final Transactions transactions;
    private final InstantSource clock;
    private final Supplier<Duration> retention;
    private final RecordCache cache;
    private final LongAdder written = new LongAdder();

    /**
     * A new one.
     *
     * @param retention for how long numbers are kept after a higher one has come
     * @param cacheBytesMax what the newest rows may take in memory
     */
    public TransactionTable(
            Transactions transactions, InstantSource clock, Supplier<Duration> retention, long cacheBytesMax) {
        this.cache = new RecordCache(cacheBytesMax);
        this.transactions = transactions;
        this.clock = clock;
        this.retention = retention;
        transactions.listen(new Listener());
    }

    // ---- reading

    /** Of the highest number that has left something; null if there is none. */
    public @Nullable NumberRecord newest(SessionId session) {
        return cache.get(session, () -> {
            byte[] row = stored(RecordKeys.session(session));
            return row == null ? null : new NumberRecord(row);
        });
    }

    /**
     * The same as a transaction of several commands sees it, which has it for itself from now on: other commands of the
     * session are in the transaction too, and a {@code writeOutcome} for them waits.
     */
    @Nullable
    NumberRecord newest(SessionId session, Transaction within) {
        byte[] key = RecordKeys.session(session);
        within.lockExclusive(Table.RECORDS, key);
        byte[] row = within.latest(Table.RECORDS, key);
        return row == null ? null : new NumberRecord(row);
    }

    /** Of a lower number than the newest; null if it has left nothing or is not kept any more. */
    public @Nullable NumberRecord superseded(SessionId session, long number) {
        byte[] row = stored(RecordKeys.part(session, number, 0));
        return row == null ? null : new NumberRecord(row);
    }

    private byte @Nullable [] stored(byte[] key) {
        try (Snapshot snapshot = transactions.snapshot()) {
            return snapshot.get(Table.RECORDS, key);
        }
    }

    /** All that is known of a number's statements. */
    public Statements statements(SessionId session, NumberRecord of) {
        return statements(session, of, null);
    }

    Statements statements(SessionId session, NumberRecord of, @Nullable Transaction within) {
        Statements statements = new Statements();
        statements.add(of.bytes(), NumberRecord.HEADER_BYTES);
        if (of.parts() > 0) {
            try (Snapshot snapshot = within == null ? transactions.snapshot() : within.latest()) {
                for (int part = 1; part <= of.parts(); part++) {
                    byte[] stored = snapshot.get(Table.RECORDS, RecordKeys.part(session, of.number(), part));
                    if (stored != null) {
                        statements.add(stored, 0);
                    }
                }
            }
        }
        return statements;
    }

    /** Whether nothing is known of a lower number because it has left nothing, and not because that is forgotten. */
    boolean remembers(SessionId session, NumberRecord newest, long number) {
        if (number <= newest.forgotten()) {
            return false;
        }
        if (!newest.hasKept()) {
            return true;
        }
        // What has been kept goes from the lowest number on, and the last one to go stays as a mark.
        try (Snapshot snapshot = transactions.snapshot();
                Scan scan = snapshot.scan(Table.RECORDS, RecordKeys.parts(session), false)) {
            return !scan.next() || RecordKeys.number(scan.key()) <= number;
        }
    }

    /** The wall clock at the latest last write of a session of which nothing is known any more; null if there is none. */
    @Nullable
    Long forgottenMillis() {
        byte[] row = stored(RecordKeys.FORGOTTEN);
        return row == null ? null : RecordKeys.millis(row);
    }

    @Override
    public @Nullable Latest latest(SessionId session) {
        NumberRecord newest = newest(session);
        return newest == null ? null : new Latest(newest.number(), newest.use() == Use.TRANSACTION, newest.opTime());
    }

    // ---- writing

    @Override
    public void committing(Transaction transaction, SessionId session, long txnNumber) {
        put(transaction, session, txnNumber, Use.TRANSACTION);
    }

    /** From its commit on, nothing that comes with this number, or a lower one, happens. */
    void fence(Transaction transaction, SessionId session, long number) {
        put(transaction, session, number, Use.FENCE);
    }

    /**
     * The same for a caller that may come late: what has been used already is left as it is. Waits for other writers
     * in the session.
     */
    void fenceUpTo(Transaction transaction, SessionId session, long number) {
        NumberRecord previous = newest(session, transaction);
        if (previous == null || previous.number() < number) {
            supersede(transaction, session, previous);
            put(transaction, session, row(Use.FENCE, number, previous, 0, new StatementRuns()));
        }
    }

    private void put(Transaction transaction, SessionId session, long number, Use use) {
        NumberRecord previous = newest(session);
        if (previous != null && previous.number() > number) {
            throw tooOld(session, number, previous.number());
        }
        supersede(transaction, session, previous);
        put(transaction, session, row(use, number, previous, 0, new StatementRuns()));
    }

    /** The row of a number that follows another one of its session. */
    NumberRecord row(Use use, long number, @Nullable NumberRecord previous, int parts, StatementRuns runs) {
        boolean keeps = previous != null && isKept(previous);
        long forgotten =
                previous == null ? -1 : keeps || previous.use() == Use.FENCE ? previous.forgotten() : previous.number();
        boolean hasKept = previous != null && (keeps || previous.hasKept());
        return NumberRecord.of(use, number, forgotten, hasKept, clock.millis(), parts, runs);
    }

    /** The same row with more in it. */
    NumberRecord grown(NumberRecord before, int parts, StatementRuns runs) {
        return NumberRecord.of(
                before.use(), before.number(), before.forgotten(), before.hasKept(), clock.millis(), parts, runs);
    }

    /** A higher number is about to take the newest one's place. */
    void supersede(Transaction transaction, SessionId session, @Nullable NumberRecord previous) {
        if (previous == null) {
            return;
        }
        if (isKept(previous)) {
            transaction.put(Table.RECORDS, RecordKeys.part(session, previous.number(), 0), previous.bytes());
        } else {
            for (int part = 1; part <= previous.parts(); part++) {
                transaction.delete(Table.RECORDS, RecordKeys.part(session, previous.number(), part));
            }
        }
    }

    private boolean isKept(NumberRecord previous) {
        return previous.use() != Use.FENCE && retention.get().isPositive();
    }

    /** Takes the place of what was the session's newest row. */
    void put(Transaction transaction, SessionId session, NumberRecord newest) {
        transaction.append(new Newest(session, newest));
    }

    /** The same for a transaction of several commands, of which the later ones must find it. */
    void putWithin(Transaction transaction, SessionId session, NumberRecord newest) {
        transaction.put(Table.RECORDS, RecordKeys.session(session), newest.bytes());
        transaction.append(new Newest(session, newest));
    }

    private record Newest(SessionId session, NumberRecord newest) implements RecordPart {
        @Override
        public void addTo(CommitDraft draft, List<RecordPart> all) {
            newest.timeIn(draft);
            draft.add(new Fact.NumberUsed(draft.put(Table.RECORDS, RecordKeys.session(session), newest.bytes())));
        }
    }

    private final class Listener implements CommitListener {
        @Override
        public void applied(CommitRecord record) {
            record.forEach(Fact.NumberUsed.class, used -> {
                SessionId session = RecordKeys.session(record.key(used.row()));
                byte[] newest = record.value(used.row());
                if (newest == null) {
                    cache.remove(session);
                } else {
                    cache.put(session, new NumberRecord(newest));
                    written.increment();
                }
            });
        }
    }

    /** Nothing of the session is left. */
    void forget(Transaction transaction, SessionId session) {
        byte[] key = RecordKeys.session(session);
        transaction.append((draft, all) -> draft.add(new Fact.NumberUsed(draft.delete(Table.RECORDS, key))));
        try (Snapshot snapshot = transactions.snapshot();
                Scan scan = snapshot.scan(Table.RECORDS, RecordKeys.parts(session), false)) {
            while (scan.next()) {
                transaction.delete(Table.RECORDS, scan.key());
            }
        }
    }

    /** Rows of newest numbers since the start. */
    public long written() {
        return written.sum();
    }

    // ---- errors

    static CommandException fenced(SessionId session, long number) {
        return new CommandException(
                ErrorCode.TransactionTooOld,
                "Retryable write with txnNumber %d is prohibited on session %s because its transaction was rolled"
                        + " back, or because writeOutcome has reported that it has not been applied.",
                number,
                session);
    }

    static CommandException tooOld(SessionId session, long number, long newest) {
        return new CommandException(
                ErrorCode.TransactionTooOld,
                "Retryable write with txnNumber %d is prohibited on session %s because a newer retryable write with"
                        + " txnNumber %d has already started on this session.",
                number,
                session,
                newest);
    }
}
