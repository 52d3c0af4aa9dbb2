package dev.semel.server.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.server.once.Inquiry.Finding;
import dev.semel.server.once.StatementRecord.Answered;
import dev.semel.server.once.StatementRecord.Updated;
import dev.semel.server.session.SessionId;
import dev.semel.server.session.Sessions;
import dev.semel.store.Isolation;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.TransactionOptions;
import dev.semel.store.Transactions;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.store.memory.MemoryStore;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is stored of numbers, for how long, and what can be found out of it. */
class TransactionTableTest {
    private static final LockPolicy POLICY = new LockPolicy(LockPolicy.Kind.STATEMENT, 0);
    private static final Duration LIFETIME = Duration.ofMinutes(30);
    private static final StatementRecord MODIFIED = new Updated(true, true, null);
    private static final SessionId A = new SessionId(1, 1);

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-21T12:00:00Z"));
    private final AtomicReference<Duration> retention = new AtomicReference<>(Duration.ZERO);
    private final Transactions transactions = Transactions.open(
            new MemoryStore(), TransactionOptions.forHeap(1 << 30), now::get, this::nanos, failure -> {
                throw new AssertionError(failure);
            });
    private final Sessions sessions = new Sessions(LIFETIME, 1_000, this::nanos, UUID::randomUUID);
    private final TransactionTable table = new TransactionTable(transactions, now::get, retention::get, 1 << 20);
    private final Gate gate = new Gate(table);
    private final Inquiry inquiry = new Inquiry(transactions, table);
    private final Removal removal = removal(Removal.SESSIONS_PER_PASS_MIN);

    private Removal removal(int sessionsPerPassMin) {
        return new Removal(transactions, table, sessions, now::get, () -> LIFETIME, retention::get, sessionsPerPassMin);
    }

    @AfterEach
    void close() {
        transactions.close();
    }

    private long nanos() {
        return now.get().toEpochMilli() * 1_000_000;
    }

    private void pass(Duration time) {
        now.set(now.get().plus(time));
        sessions.expire();
        removal.pass(Interruption.unlimited());
    }

    private void write(SessionId session, long number, StatementRecord... records) {
        Attempt attempt = gate.enter(session, number);
        try (Transaction transaction = transactions.begin(Isolation.STATEMENT, POLICY, Interruption.unlimited())) {
            attempt.begin();
            for (int i = 0; i < records.length; i++) {
                attempt.add(i, records[i]);
            }
            attempt.writeTo(transaction);
            transaction.commit().awaitApplied();
        }
    }

    private int rows() {
        int rows = 0;
        try (Snapshot snapshot = transactions.snapshot();
                Scan scan = snapshot.scan(Table.RECORDS, KeyRange.ALL, false)) {
            while (scan.next()) {
                rows++;
            }
        }
        return rows;
    }

    private static Answered answer(int bytes) {
        RawDocument reply = new BsonWriter().put("value", "x".repeat(bytes)).finish();
        return new Answered(reply);
    }

    // ---- rows

    /** Looking at a million sessions every minute would be work for nothing. */
    @Test
    void aPassLooksAtSomeSessionsAndTheNextOneGoesOn() {
        for (int session = 1; session <= 25; session++) {
            write(new SessionId(session, 1), 1, MODIFIED);
        }
        Removal small = removal(10);
        assertThat(small.pass(Interruption.unlimited())).isZero();
        now.set(now.get().plus(LIFETIME));
        sessions.expire();
        // The first round goes on where it was, with sessions 11 to 20, then to the end.
        assertThat(small.pass(Interruption.unlimited())).isEqualTo(10);
        assertThat(small.pass(Interruption.unlimited())).isEqualTo(5);
        assertThat(small.pass(Interruption.unlimited())).isEqualTo(10);
        assertThat(small.pass(Interruption.unlimited())).isZero();
    }

    @Test
    void oneWriteIsOneRow() {
        for (int number = 1; number <= 100; number++) {
            write(A, number, MODIFIED);
        }
        assertThat(rows()).isEqualTo(1);
        assertThat(table.written()).isEqualTo(100);
    }

    @Test
    void whatIsLargeHasARowOfItsOwnWhichGoesWithItsNumber() {
        write(A, 1, answer(100_000));
        assertThat(rows()).isEqualTo(2);
        assertThat(gate.enter(A, 1).find(0)).isEqualTo(answer(100_000));
        write(A, 2, answer(2_000));
        assertThat(rows()).isEqualTo(2);
        write(A, 3, MODIFIED);
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void manyTransactionsOfOneNumberAddUp() {
        Attempt attempt = gate.enter(A, 1);
        int statements = 2_000;
        for (int i = 0; i < statements; i++) {
            try (Transaction transaction = transactions.begin(Isolation.STATEMENT, POLICY, Interruption.unlimited())) {
                attempt.begin();
                // As if it had been a deadlock's victim first.
                attempt.add(i, StatementRecord.INSERTED);
                attempt.begin();
                attempt.add(i, answer(i % 50));
                attempt.writeTo(transaction);
                transaction.commit().awaitApplied();
                attempt.appended();
            }
        }
        Attempt again = gate.enter(A, 1);
        for (int i = 0; i < statements; i++) {
            assertThat(again.find(i)).isEqualTo(answer(i % 50));
        }
        assertThat(again.find(statements)).isNull();
        assertThat(rows()).isBetween(100, 300);
        write(A, 2, MODIFIED);
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void nothingIsWrittenForACommandWithoutSuccess() {
        write(A, 1);
        assertThat(rows()).isZero();
        assertThat(gate.enter(A, 1).isFirst()).isTrue();
    }

    // ---- for how long

    @Test
    void aSessionsLastWriteIsKeptForItsLifetimeAfterItsEnd() {
        write(A, 7, MODIFIED);
        sessions.use(A);
        sessions.end(A);
        pass(LIFETIME.minusSeconds(1));
        assertThat(gate.enter(A, 7).find(0)).isEqualTo(MODIFIED);
        pass(Duration.ofSeconds(1));
        // Nothing but the time of what is forgotten.
        assertThat(rows()).isEqualTo(1);
        assertThat(gate.enter(A, 7).isFirst()).isTrue();
    }

    @Test
    void aSessionInUseKeepsItsLastWrite() {
        write(A, 7, MODIFIED);
        for (int i = 0; i < 5; i++) {
            sessions.use(A);
            pass(LIFETIME.minusSeconds(1));
        }
        assertThat(gate.enter(A, 7).find(0)).isEqualTo(MODIFIED);
        pass(Duration.ofMinutes(1));
        assertThat(gate.enter(A, 7).isFirst()).isTrue();
    }

    @Test
    void rowsStayFlatOverManySessions() {
        for (int hour = 0; hour < 3; hour++) {
            for (int i = 0; i < 1_000; i++) {
                SessionId session = new SessionId(hour, i);
                sessions.use(session);
                write(session, 1, answer(i % 2 == 0 ? 10 : 1_000));
            }
            assertThat(rows()).isLessThan(2_000);
            pass(Duration.ofHours(1));
            assertThat(sessions.count()).isZero();
        }
        assertThat(rows()).isEqualTo(1);
    }

    // ---- retention

    @Test
    void retentionKeepsSupersededNumbersAndNoLonger() {
        retention.set(Duration.ofDays(2));
        for (int day = 0; day < 10; day++) {
            write(A, day, answer(day * 200));
            sessions.use(A);
            pass(Duration.ofDays(1));
        }
        assertThat(gate.enter(A, 9).find(0)).isEqualTo(answer(1800));
        assertThat(gate.enter(A, 8).find(0)).isEqualTo(answer(1600));
        assertThatThrownBy(() -> gate.enter(A, 8).find(1)).isInstanceOf(CommandException.class);
        assertThatThrownBy(() -> gate.enter(A, 6))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TransactionTooOld));
        assertThat(inquiry.ask(A, 9, null, true, Interruption.unlimited())).isInstanceOf(Finding.Applied.class);
        assertThat(inquiry.ask(A, 6, null, true, Interruption.unlimited())).isInstanceOf(Finding.Unknown.class);
        assertThat(rows()).isLessThan(8);
        pass(Duration.ofDays(2));
        assertThat(rows()).isEqualTo(1);
    }

    // ---- finding out

    @Test
    void whatHasNotHappenedWillNot() {
        assertThat(inquiry.ask(A, 5, null, true, Interruption.unlimited())).isInstanceOf(Finding.NotApplied.class);
        assertThatThrownBy(() -> gate.enter(A, 5)).isInstanceOf(CommandException.class);
        assertThatThrownBy(() -> gate.enter(A, 4)).isInstanceOf(CommandException.class);
        write(A, 6, MODIFIED);
        assertThat(inquiry.ask(A, 6, null, true, Interruption.unlimited())).isInstanceOf(Finding.Applied.class);
        assertThat(inquiry.ask(A, 5, null, true, Interruption.unlimited())).isInstanceOf(Finding.NotApplied.class);
        assertThat(inquiry.ask(A, 3, null, true, Interruption.unlimited())).isInstanceOf(Finding.NotApplied.class);
        write(A, 8, MODIFIED);
        assertThat(inquiry.ask(A, 7, null, true, Interruption.unlimited())).isInstanceOf(Finding.NotApplied.class);
        assertThat(inquiry.ask(A, 6, null, true, Interruption.unlimited())).isInstanceOf(Finding.Unknown.class);
    }

    @Test
    void forgottenWriteIsNotReportedAsNotHappened() {
        Instant written = now.get();
        write(A, 1, MODIFIED);
        pass(LIFETIME);
        assertThat(inquiry.ask(A, 1, null, true, Interruption.unlimited())).isInstanceOf(Finding.Unknown.class);
        assertThat(inquiry.ask(A, 1, written, true, Interruption.unlimited())).isInstanceOf(Finding.Unknown.class);
        assertThat(rows()).isEqualTo(1);
        assertThat(inquiry.ask(A, 2, written.plusMillis(1), true, Interruption.unlimited()))
                .isInstanceOf(Finding.NotApplied.class);
    }

    @Test
    void aTransactionNeverTakesTheRowBack() {
        write(A, 5, MODIFIED);
        try (Transaction transaction = transactions.begin(Isolation.STATEMENT, POLICY, Interruption.unlimited())) {
            assertThatThrownBy(() -> table.committing(transaction, A, 4)).isInstanceOf(CommandException.class);
            table.committing(transaction, A, 6);
            transaction.commit().awaitApplied();
        }
        assertThat(table.latest(A)).satisfies(latest -> {
            assertThat(latest.txnNumber()).isEqualTo(6);
            assertThat(latest.isTransaction()).isTrue();
        });
        assertThatThrownBy(() -> gate.enter(A, 6))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.ConflictingOperationInProgress));
    }
}
