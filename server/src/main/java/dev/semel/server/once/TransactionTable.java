package dev.semel.server.once;

import dev.semel.server.session.SessionId;
import dev.semel.server.session.SessionTransactions;
import dev.semel.server.session.SessionTransactions.Latest;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A row per session with the newest number that left something. Key: the session's UUID. Value: the number, what it was
 * used for, the cluster time of its last commit.
 */
public final class TransactionTable implements SessionTransactions.Records {
    private static final int ROW_BYTES = Long.BYTES + 1 + Long.BYTES;

    private final Transactions transactions;

    public TransactionTable(Transactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public @Nullable Latest latest(SessionId session) {
        byte[] row;
        try (Snapshot snapshot = transactions.snapshot()) {
            row = snapshot.get(Table.RECORDS, key(session));
        }
        if (row == null) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(row);
        return new Latest(in.getLong(), in.get() != 0, in.getLong());
    }

    @Override
    public void committing(Transaction transaction, SessionId session, long txnNumber) {
        byte[] key = key(session);
        transaction.append(stamp -> stamp.put(
                Table.RECORDS,
                key,
                ByteBuffer.allocate(ROW_BYTES)
                        .putLong(txnNumber)
                        .put((byte) 1)
                        .putLong(stamp.clusterTime())
                        .array()));
    }

    private static byte[] key(SessionId session) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(session.high())
                .putLong(session.low())
                .array();
    }
}
