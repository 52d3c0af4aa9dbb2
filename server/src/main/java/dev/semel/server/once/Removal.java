package dev.semel.server.once;

import dev.semel.server.session.SessionId;
import dev.semel.server.session.Sessions;
import dev.semel.store.Isolation;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Removes records that are no longer needed: superseded numbers after the retention, and all of a session that is no longer
 * in use and has not written for its lifetime. The owner of the threads calls {@link #pass} from time to time, one thread
 * at a time. A pass looks at a part of the sessions and the next one goes on from there, so that a million of them cost
 * each pass little.
 */
public final class Removal {
    private static final int SESSIONS_AT_ONCE = 1_000;
    private static final int KEYS_AT_ONCE = 1_000;

    /** So many a pass looks at in any case. */
    public static final int SESSIONS_PER_PASS_MIN = 50_000;

    /** After this number of passes every session has been visited, however many there are. */
    private static final int PASSES_PER_ROUND = 10;

    private final Transactions transactions;
    private final TransactionTable table;
    private final Sessions sessions;
    private final InstantSource clock;
    private final Supplier<Duration> lifetime;
    private final Supplier<Duration> retention;
    private final int sessionsPerPassMin;

    /** What this round has not looked at. */
    private KeyRange rest = RecordKeys.SESSIONS;

    private long looked;
    private long lastRound;

    /** The lifetime is for how long a session's newest number is kept at least. */
    public Removal(
            Transactions transactions,
            TransactionTable table,
            Sessions sessions,
            InstantSource clock,
            Supplier<Duration> lifetime,
            Supplier<Duration> retention,
            int sessionsPerPassMin) {
        this.transactions = transactions;
        this.table = table;
        this.sessions = sessions;
        this.clock = clock;
        this.lifetime = lifetime;
        this.retention = retention;
        this.sessionsPerPassMin = sessionsPerPassMin;
    }

    /** One look at some sessions; how many are forgotten. */
    public int pass(Interruption interruption) {
        long now = clock.millis();
        long kept = retention.get().toMillis();
        long newestUntil = now - Math.max(kept, lifetime.get().toMillis());
        int forgotten = 0;
        long left = Math.max(sessionsPerPassMin, lastRound / PASSES_PER_ROUND);
        while (left > 0) {
            interruption.check();
            int most = (int) Math.min(SESSIONS_AT_ONCE, left);
            List<Row> rows = rows(rest, most);
            for (Row row : rows) {
                if (row.record.writtenMillis() <= newestUntil && forget(row.session, newestUntil)) {
                    forgotten++;
                } else if (row.record.hasKept()) {
                    removeKept(row.session, now - kept, interruption);
                }
            }
            looked += rows.size();
            left -= rows.size();
            if (rows.size() < most) {
                rest = RecordKeys.SESSIONS;
                lastRound = looked;
                looked = 0;
                break;
            }
            byte[] last = RecordKeys.session(rows.getLast().session);
            rest = new KeyRange(KeyRange.successor(last), RecordKeys.SESSIONS.high());
        }
        return forgotten;
    }

    private record Row(SessionId session, NumberRecord record) {}

    private List<Row> rows(KeyRange range, int most) {
        List<Row> rows = new ArrayList<>();
        try (Snapshot snapshot = transactions.snapshot();
                Scan scan = snapshot.scan(Table.RECORDS, range, false)) {
            while (rows.size() < most && scan.next()) {
                rows.add(new Row(RecordKeys.session(scan.key()), new NumberRecord(scan.value())));
            }
        }
        return rows;
    }

    private boolean forget(SessionId session, long writtenUntil) {
        boolean[] done = new boolean[1];
        sessions.whileUnused(session, () -> {
            NumberRecord newest = table.newest(session);
            if (newest != null && newest.writtenMillis() <= writtenUntil) {
                forget(session, newest);
                done[0] = true;
            }
        });
        return done[0];
    }

    private void forget(SessionId session, NumberRecord newest) {
        Long before = table.forgottenMillis();
        commit(transaction -> {
            table.forget(transaction, session);
            if (newest.use() != NumberRecord.Use.FENCE && (before == null || before < newest.writtenMillis())) {
                transaction.put(Table.RECORDS, RecordKeys.FORGOTTEN, RecordKeys.millis(newest.writtenMillis()));
            }
        });
    }

    /** From the lowest number on, and not the last one that has to go: it shows what was kept and is no longer. */
    private void removeKept(SessionId session, long writtenUntil, Interruption interruption) {
        List<byte[]> keys = expired(session, writtenUntil);
        while (!keys.isEmpty()) {
            interruption.check();
            List<byte[]> gone = keys;
            commit(transaction -> gone.forEach(key -> transaction.delete(Table.RECORDS, key)));
            keys = gone.size() < KEYS_AT_ONCE ? List.of() : expired(session, writtenUntil);
        }
    }

    private List<byte[]> expired(SessionId session, long writtenUntil) {
        List<byte[]> keys = new ArrayList<>();
        int complete = 0;
        long number = -1;
        try (Snapshot snapshot = transactions.snapshot();
                Scan scan = snapshot.scan(Table.RECORDS, RecordKeys.parts(session), false)) {
            while (scan.next()) {
                byte[] key = scan.key();
                if (RecordKeys.isFirstPart(key)) {
                    complete = keys.size();
                    number = RecordKeys.number(key);
                    if (complete >= KEYS_AT_ONCE || new NumberRecord(scan.value()).writtenMillis() > writtenUntil) {
                        break;
                    }
                } else if (RecordKeys.number(key) != number) {
                    // The newest number's own.
                    break;
                }
                keys.add(key);
            }
        }
        return keys.subList(0, complete);
    }

    /** There are no other writers of these rows now, so nothing is locked. */
    private void commit(Consumer<Transaction> work) {
        LockPolicy noWait = new LockPolicy(LockPolicy.Kind.STATEMENT, 0);
        try (Transaction transaction = transactions.begin(Isolation.STATEMENT, noWait, Interruption.unlimited())) {
            work.accept(transaction);
            transaction.commit().awaitApplied();
        }
    }
}
