package dev.semel.server.once;

import dev.semel.server.once.TokenRecord.State;
import dev.semel.server.once.TokenTable.Forgotten;
import dev.semel.store.Isolation;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Removes tokens whose time is over, oldest first, by an index, so that a pass costs in proportion to what it removes. The
 * owner of the threads calls {@link #pass} from time to time.
 */
public final class TokenRemoval {
    private static final int TOKENS_AT_ONCE = 1_000;

    private final Transactions transactions;
    private final TokenTable table;

    public TokenRemoval(Transactions transactions, TokenTable table) {
        this.transactions = transactions;
        this.table = table;
    }

    /** How many tokens are forgotten. */
    public int pass(Interruption interruption) {
        int removed = 0;
        KeyRange rest = TokenKeys.expiredAt(table.now());
        while (true) {
            interruption.check();
            List<byte[]> expired = expired(rest);
            if (expired.isEmpty()) {
                return removed;
            }
            removed += remove(expired, interruption);
            // Behind the last one, whatever was in use: the next pass comes to that.
            rest = new KeyRange(KeyRange.successor(expired.getLast()), rest.high());
        }
    }

    private List<byte[]> expired(KeyRange range) {
        List<byte[]> keys = new ArrayList<>();
        try (Snapshot snapshot = transactions.snapshot();
                Scan scan = snapshot.scan(Table.RECORDS, range, false)) {
            while (keys.size() < TOKENS_AT_ONCE && scan.next()) {
                keys.add(scan.key());
            }
        }
        return keys;
    }

    private int remove(List<byte[]> expired, Interruption interruption) {
        int removed = 0;
        LockPolicy noWait = LockPolicy.of(LockPolicy.Kind.CATALOG_CHANGE, Duration.ZERO);
        try (Transaction transaction = transactions.begin(Isolation.STATEMENT, noWait, interruption)) {
            Forgotten before = table.forgotten();
            Forgotten forgotten = before;
            for (byte[] each : expired) {
                TokenRecord gone = remove(each, transaction);
                if (gone != null) {
                    removed++;
                    if (gone.state() != State.FENCE) {
                        Forgotten more = new Forgotten(gone.writtenMillis(), gone.expiresMillis());
                        forgotten = forgotten == null ? more : forgotten.and(more);
                    }
                }
            }
            if (forgotten != null && !forgotten.equals(before)) {
                transaction.put(Table.RECORDS, TokenKeys.FORGOTTEN, forgotten.toBytes());
            }
            transaction.commit().awaitApplied();
        }
        return removed;
    }

    /** Null if it is in use, or has been written again meanwhile. */
    private @Nullable TokenRecord remove(byte[] expiry, Transaction transaction) {
        byte[] key = TokenKeys.rowOfExpiry(expiry);
        try {
            transaction.lockExclusive(Table.RECORDS, key);
        } catch (CommandException e) {
            if (e.code().equals(ErrorCode.LockTimeout)) {
                return null;
            }
            throw e;
        }
        byte[] row = transaction.latest(Table.RECORDS, key);
        if (row == null || new TokenRecord(row).expiresMillis() != TokenKeys.millisOfExpiry(expiry)) {
            return null;
        }
        TokenRecord record = new TokenRecord(row);
        table.remove(transaction, key, record);
        return record;
    }
}
