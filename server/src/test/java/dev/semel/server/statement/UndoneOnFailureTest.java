package dev.semel.server.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.store.Isolation;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.TransactionOptions;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.store.memory.MemoryStore;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/** A statement of a transaction that goes on leaves nothing when it fails, whatever it fails with. */
class UndoneOnFailureTest {
    @Test
    void defectOfTheServerLeavesNoHalfStatement() {
        LockPolicy policy = LockPolicy.of(LockPolicy.Kind.TOKUMX_TRANSACTION, Duration.ZERO);
        try (Transactions transactions = Transactions.open(
                        new MemoryStore(),
                        TransactionOptions.forHeap(1 << 30),
                        InstantSource.system(),
                        System::nanoTime,
                        failure -> {});
                Transaction open = transactions.begin(Isolation.SNAPSHOT, policy, Interruption.unlimited())) {
            byte[] kept = {1};
            byte[] undone = {2};
            open.put(Table.DOCUMENTS, kept, kept);
            for (Throwable failure : new Throwable[] {new IllegalStateException("defect"), new StackOverflowError()}) {
                assertThatThrownBy(() -> TransactionWrites.undoneOnFailure(open, transaction -> {
                            transaction.put(Table.DOCUMENTS, undone, undone);
                            throw sneaky(failure);
                        }))
                        .isSameAs(failure);
                assertThat(open.get(Table.DOCUMENTS, undone)).isNull();
                assertThat(open.get(Table.DOCUMENTS, kept)).isEqualTo(kept);
            }
        }
    }

    private static RuntimeException sneaky(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return (RuntimeException) failure;
    }
}
