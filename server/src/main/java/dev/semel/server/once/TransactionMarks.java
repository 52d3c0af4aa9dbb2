package dev.semel.server.once;

import dev.semel.server.session.ConnectionTransactions;
import dev.semel.server.session.SessionId;
import dev.semel.store.Commit;
import dev.semel.store.Isolation;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A row for each session that is in a transaction of TokuMX's dialect. It costs its session a wait for the disk at the
 * beginning, which transactions that begin together share: after a crash, the session of an acknowledged
 * {@code beginTransaction} must not be taken for one without a transaction. Its end is part of the commit.
 */
public final class TransactionMarks implements ConnectionTransactions.Marks {
    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(4);
    private static final long OPEN = 0;

    private final Transactions transactions;
    private final TransactionTable table;
    private final InstantSource clock;

    public TransactionMarks(Transactions transactions, TransactionTable table, InstantSource clock) {
        this.transactions = transactions;
        this.table = table;
        this.clock = clock;
    }

    @Override
    public Map<SessionId, Duration> lost() {
        long now = clock.millis();
        Map<SessionId, Duration> lost = new HashMap<>();
        commit(transaction -> {
            try (Snapshot snapshot = transactions.snapshot();
                    Scan scan = snapshot.scan(Table.RECORDS, RecordKeys.MARKS, false)) {
                while (scan.next()) {
                    long since = RecordKeys.millis(scan.value());
                    if (since == OPEN) {
                        // From now on it expires, however often the server is started.
                        transaction.put(Table.RECORDS, scan.key(), RecordKeys.millis(now));
                    }
                    lost.put(
                            RecordKeys.session(scan.key()),
                            Duration.ofMillis(since == OPEN ? 0 : Math.max(0, now - since)));
                }
            }
        });
        return lost;
    }

    @Override
    public Commit begin(Transaction begun, SessionId session, long newestNumber) {
        byte[] mark = RecordKeys.mark(session);
        // The transaction's first write: a commit must not fail because there is no room for it any more.
        begun.delete(Table.RECORDS, mark);
        return commit(transaction -> {
            transaction.put(Table.RECORDS, mark, RecordKeys.millis(OPEN));
            fence(transaction, session, newestNumber);
        });
    }

    @Override
    public boolean isMarked(SessionId session) {
        try (Snapshot snapshot = transactions.snapshot()) {
            return snapshot.get(Table.RECORDS, RecordKeys.mark(session)) != null;
        }
    }

    @Override
    public void fence(SessionId session, long newestNumber) {
        commit(transaction -> fence(transaction, session, newestNumber));
    }

    @Override
    public Commit end(SessionId session, long newestNumber) {
        return commit(transaction -> {
            transaction.delete(Table.RECORDS, RecordKeys.mark(session));
            fence(transaction, session, newestNumber);
        });
    }

    private void fence(Transaction transaction, SessionId session, long newestNumber) {
        if (newestNumber >= 0) {
            table.fenceUpTo(transaction, session, newestNumber);
        }
    }

    private Commit commit(Consumer<Transaction> work) {
        LockPolicy policy = LockPolicy.of(LockPolicy.Kind.STATEMENT, LOCK_TIMEOUT);
        try (Transaction transaction = transactions.begin(Isolation.STATEMENT, policy, Interruption.unlimited())) {
            work.accept(transaction);
            Commit commit = transaction.commit();
            commit.awaitApplied();
            return commit;
        }
    }
}
