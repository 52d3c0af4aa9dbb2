package dev.semel.server.once;

import dev.semel.server.once.TokenRecord.State;
import dev.semel.store.CommitListener;
import dev.semel.store.CommitRecord;
import dev.semel.store.Fact;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is stored of tokens. Code that reads a token's row to act on it, or writes one, holds the row's lock until what it
 * writes is applied.
 */
public final class TokenTable {
    /** MongoDB's code for a retry that does not fit the write that had its number first. */
    private static final ErrorCode NOT_THE_SAME = ErrorCode.location(40606);

    private final Transactions transactions;
    private final InstantSource clock;
    private final Supplier<Duration> retention;
    private final LongSupplier bytesMax;

    /** What all rows take; without those of earlier runs of the server until they have been {@link #count counted}. */
    private final AtomicLong bytes = new AtomicLong();

    /** The rows of earlier runs; null when they have been counted. */
    private final AtomicReference<@Nullable Snapshot> uncounted = new AtomicReference<>();

    /**
     * The retention is for how long an outcome is kept whose command does not say; the rows together take no more than
     * the bytes, apart from those of commands that run at the same time.
     */
    public TokenTable(
            Transactions transactions, InstantSource clock, Supplier<Duration> retention, LongSupplier bytesMax) {
        this.transactions = transactions;
        this.clock = clock;
        this.retention = retention;
        this.bytesMax = bytesMax;
        transactions.listen(new Listener());
        if (transactions.store().isPersistent()) {
            uncounted.set(transactions.snapshot());
        }
    }

    // ---- reading

    /** The token's record, which is the transaction's alone until it ends; null if there is none. */
    @Nullable
    TokenRecord locked(Token token, Transaction by) {
        byte[] key = TokenKeys.row(token);
        by.lockExclusive(Table.RECORDS, key);
        byte[] row = by.latest(Table.RECORDS, key);
        return row == null ? null : new TokenRecord(row);
    }

    /** All that is known of the statements of a token's command. */
    Statements statements(Token token, TokenRecord record, Transaction by) {
        Statements statements = new Statements();
        statements.add(record.bytes(), record.runsStart());
        byte[] row = TokenKeys.row(token);
        for (int part = 1; part <= record.parts(); part++) {
            byte[] stored = by.latest(Table.RECORDS, TokenKeys.part(row, part));
            if (stored != null) {
                statements.add(stored, 0);
            }
        }
        return statements;
    }

    /**
     * What has been forgotten: the wall clock at the latest first write of a token that has been removed, and the latest expiry
     * among them.
     */
    record Forgotten(long writtenMillis, long expiredMillis) {
        Forgotten and(Forgotten other) {
            return new Forgotten(
                    Math.max(writtenMillis, other.writtenMillis), Math.max(expiredMillis, other.expiredMillis));
        }

        byte[] toBytes() {
            return ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(writtenMillis)
                    .putLong(expiredMillis)
                    .array();
        }
    }

    /** Null if no token has ever been removed. */
    @Nullable
    Forgotten forgotten() {
        try (Snapshot snapshot = transactions.snapshot()) {
            byte[] row = snapshot.get(Table.RECORDS, TokenKeys.FORGOTTEN);
            return row == null
                    ? null
                    : new Forgotten(
                            ByteBuffer.wrap(row).getLong(0),
                            ByteBuffer.wrap(row).getLong(Long.BYTES));
        }
    }

    // ---- writing

    long now() {
        return clock.millis();
    }

    /** Until when what is written now is kept. */
    long expiry(@Nullable Duration keep) {
        return now() + (keep == null ? retention.get() : keep).toMillis();
    }

    /** By the holder of the row's lock. {@code previous} is what it replaces; null if there was nothing. */
    void put(Transaction transaction, Token token, @Nullable TokenRecord previous, TokenRecord next) {
        byte[] key = TokenKeys.row(token);
        if (previous != null && previous.expiresMillis() != next.expiresMillis()) {
            transaction.delete(Table.RECORDS, TokenKeys.expiry(key, previous.expiresMillis()));
        }
        if (previous == null || previous.expiresMillis() != next.expiresMillis()) {
            transaction.put(Table.RECORDS, TokenKeys.expiry(key, next.expiresMillis()), new byte[0]);
        }
        transaction.put(Table.RECORDS, key, next.bytes());
        long more = size(key, next.bytes()) - (previous == null ? 0 : size(key, previous.bytes()));
        grows(transaction, more);
    }

    void putPart(Transaction transaction, Token token, int part, byte[] statements) {
        byte[] key = TokenKeys.part(TokenKeys.row(token), part);
        transaction.put(Table.RECORDS, key, statements);
        grows(transaction, key.length + statements.length);
    }

    void fence(Transaction transaction, Token token, @Nullable Duration keep) {
        checkRoom();
        put(transaction, token, null, TokenRecord.fence(token, now(), expiry(keep)));
    }

    /** By the holder of the row's lock. */
    void remove(Transaction transaction, byte[] key, TokenRecord record) {
        transaction.delete(Table.RECORDS, key);
        transaction.delete(Table.RECORDS, TokenKeys.expiry(key, record.expiresMillis()));
        long less = size(key, record.bytes());
        for (int part = 1; part <= record.parts(); part++) {
            byte[] partKey = TokenKeys.part(key, part);
            byte[] stored = transaction.latest(Table.RECORDS, partKey);
            if (stored != null) {
                transaction.delete(Table.RECORDS, partKey);
                less += partKey.length + stored.length;
            }
        }
        grows(transaction, -less);
    }

    private void grows(Transaction transaction, long more) {
        transaction.append((draft, all) -> draft.add(new Fact.TokenBytesChanged(more)));
    }

    private final class Listener implements CommitListener {
        @Override
        public void applied(CommitRecord record) {
            record.forEach(Fact.TokenBytesChanged.class, changed -> bytes.addAndGet(changed.bytes()));
        }
    }

    /** With its entry in the index of expiry. */
    private static long size(byte[] key, byte[] row) {
        return 2L * key.length + Long.BYTES + row.length;
    }

    // ---- how much there is

    /** What all rows take. */
    public long bytes() {
        return bytes.get();
    }

    /** Adds what was there before the server started, once, by one thread. */
    public void count(Interruption interruption) {
        Snapshot snapshot = uncounted.get();
        if (snapshot == null) {
            return;
        }
        long found = 0;
        for (KeyRange range : new KeyRange[] {TokenKeys.TOKENS, TokenKeys.PARTS}) {
            try (Scan scan = snapshot.scan(Table.RECORDS, range, false)) {
                while (scan.next()) {
                    interruption.check();
                    byte[] key = scan.key();
                    found +=
                            range.equals(TokenKeys.TOKENS) ? size(key, scan.value()) : key.length + scan.value().length;
                }
            }
        }
        bytes.addAndGet(found);
        close();
    }

    /** The server ends, and counting stops. */
    public void close() {
        Snapshot snapshot = uncounted.getAndSet(null);
        if (snapshot != null) {
            snapshot.close();
        }
    }

    /** Refuses new tokens where there is no room: forgetting another one early would let its write happen twice. */
    void checkRoom() {
        if (bytes.get() >= bytesMax.getAsLong()) {
            throw new CommandException(
                    ErrorCode.ResourceExhausted,
                    "No room for another token: the outcomes that are kept take %d bytes, and 'onceBytesMax' is %d."
                            + " Raise it, or keep outcomes for a shorter time ('onceRetention', 'keepSeconds')",
                    bytes.get(),
                    bytesMax.getAsLong());
        }
    }

    // ---- errors

    /** Refuses a command that may not use the token: the token stands for another command, or is fenced. */
    static void check(Token token, TokenRecord known, Fingerprint fingerprint) {
        if (known.state() == State.FENCE) {
            throw new CommandException(
                    ErrorCode.TransactionTooOld,
                    "The command with the token %s is prohibited because writeOutcome has reported that it"
                            + " has not been applied",
                    token);
        }
        if (!known.isOf(fingerprint)) {
            throw new CommandException(
                    NOT_THE_SAME,
                    "The token %s has been used for another command, '%s': %s",
                    token,
                    known.command().text(),
                    known.isOfButForIds(fingerprint)
                            ? "only the _id of the documents differs. Set _id yourself, so that it is the same when the"
                                    + " command is sent again"
                            : "each command needs a token of its own. A driver that splits a call into several commands"
                                    + " sends the same token with each of them");
        }
    }
}
