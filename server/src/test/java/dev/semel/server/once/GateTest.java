package dev.semel.server.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.semel.server.once.StatementRecord.Updated;
import dev.semel.server.session.SessionId;
import dev.semel.store.Isolation;
import dev.semel.store.Transaction;
import dev.semel.store.TransactionOptions;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.store.memory.MemoryStore;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Value;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which numbers are new, which have been here, and which are refused. */
class GateTest {
    private static final LockPolicy POLICY = new LockPolicy(LockPolicy.Kind.STATEMENT, 0);
    private static final StatementRecord MODIFIED = new Updated(true, true, null);
    private static final SessionId A = new SessionId(1, 1);

    private final Transactions transactions = Transactions.open(
            new MemoryStore(),
            TransactionOptions.forHeap(1 << 30),
            InstantSource.system(),
            System::nanoTime,
            failure -> {
                throw new AssertionError(failure);
            });
    private final TransactionTable table =
            new TransactionTable(transactions, InstantSource.system(), () -> Duration.ZERO, 1 << 20);
    private final Gate gate = new Gate(table);

    @AfterEach
    void close() {
        transactions.close();
    }

    private void commit(Consumer<Transaction> work) {
        try (Transaction transaction = begin()) {
            work.accept(transaction);
            transaction.commit().awaitApplied();
        }
    }

    private Transaction begin() {
        return transactions.begin(Isolation.STATEMENT, POLICY, Interruption.unlimited());
    }

    private static void write(Attempt attempt, Transaction transaction) {
        attempt.begin();
        attempt.add(0, MODIFIED);
        attempt.writeTo(transaction);
    }

    private void isRefused(long number, ErrorCode code) {
        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> gate.enter(A, number))
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void sameNumberFindsWhatItsStatementsCameTo() {
        commit(transaction -> write(gate.enter(A, 5), transaction));

        Attempt again = gate.enter(A, 5);

        assertThat(again.isFirst()).isFalse();
        assertThat(again.find(0)).isEqualTo(MODIFIED);
        assertThat(again.find(1)).isNull();
    }

    @Test
    void lowerNumberIsRefused() {
        commit(transaction -> write(gate.enter(A, 5), transaction));

        isRefused(4, ErrorCode.TransactionTooOld);
        assertThat(gate.enter(A, 6).isFirst()).isTrue();
    }

    @Test
    void numberOfTransactionIsNoWrite() {
        commit(transaction -> table.committing(transaction, A, 5));

        isRefused(5, ErrorCode.ConflictingOperationInProgress);
        isRefused(4, ErrorCode.TransactionTooOld);
    }

    @Test
    void fencedNumberIsRefused() {
        commit(transaction -> table.fence(transaction, A, 5));

        isRefused(5, ErrorCode.TransactionTooOld);
        isRefused(4, ErrorCode.TransactionTooOld);
        assertThat(gate.enter(A, 6).isFirst()).isTrue();
    }

    @Test
    void numberOfRolledBackTransactionIsUnused() {
        try (Transaction rolledBack = begin()) {
            write(gate.enter(A, 5), rolledBack);
        }

        assertThat(gate.enter(A, 5).isFirst()).isTrue();
    }

    /** What was rolled back and not done again has not been done. */
    @Test
    void transactionThatBeganAnewRecordsOnlyWhatItDidThen() {
        Attempt attempt = gate.enter(A, 5);
        commit(transaction -> {
            attempt.begin();
            attempt.add(0, MODIFIED);
            attempt.begin();
            attempt.add(1, MODIFIED);
            attempt.writeTo(transaction);
        });

        Attempt again = gate.enter(A, 5);
        assertThat(again.find(0)).isNull();
        assertThat(again.find(1)).isEqualTo(MODIFIED);
    }

    @Test
    void everyUpsertKeepsItsId() {
        StatementRecord first = new Updated(false, false, new Value.Int32(1));
        StatementRecord second = new Updated(false, false, new Value.Int32(2));
        Attempt attempt = gate.enter(A, 5);
        commit(transaction -> {
            attempt.begin();
            attempt.add(0, first);
            attempt.add(1, second);
            attempt.writeTo(transaction);
        });

        Attempt again = gate.enter(A, 5);
        assertThat(again.find(0)).isEqualTo(first);
        assertThat(again.find(1)).isEqualTo(second);
    }
}
