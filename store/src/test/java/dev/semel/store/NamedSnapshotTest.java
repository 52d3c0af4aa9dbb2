package dev.semel.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.store.memory.MemoryStore;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Few of many snapshots are kept, but one whose time a client knows stays readable for the window. */
class NamedSnapshotTest {
    private static final byte[] KEY = {1};
    private static final LockPolicy POLICY = LockPolicy.of(LockPolicy.Kind.STATEMENT, Duration.ofSeconds(4));

    private final AtomicLong nanos = new AtomicLong();

    @Test
    void staysWhileOthersAreForgotten() {
        try (Transactions transactions = Transactions.open(
                new MemoryStore(),
                TransactionOptions.forHeap(1 << 30).withSnapshotsMax(3),
                InstantSource.system(),
                nanos::get,
                failure -> {
                    throw new AssertionError(failure);
                })) {
            long plain = put(transactions, 1);
            long named;
            put(transactions, 2);
            try (Snapshot snapshot = transactions.namedSnapshot()) {
                named = snapshot.clusterTime();
            }
            for (int i = 3; i < 20; i++) {
                put(transactions, i);
            }
            try (Snapshot again = transactions.snapshotAt(named)) {
                assertArrayEquals(new byte[] {2}, again.get(Table.DOCUMENTS, KEY));
                assertEquals(named, again.clusterTime());
            }
            assertTooOld(transactions, plain);
            assertTooOld(transactions, named + 1);

            nanos.addAndGet(Duration.ofSeconds(61).toNanos());
            put(transactions, 20);
            assertTooOld(transactions, named);
            // The newest, and the one that was it until just now.
            assertEquals(2, transactions.statistics().retainedSnapshots());
        }
    }

    @Test
    void timeBetweenTwoCommitsShowsTheFirst() {
        // A millisecond of the clock is many times of the cluster.
        AtomicLong millis = new AtomicLong(1_000_000);
        try (Transactions transactions = Transactions.open(
                new MemoryStore(),
                TransactionOptions.forHeap(1 << 30),
                () -> Instant.ofEpochMilli(millis.get()),
                nanos::get,
                failure -> {
                    throw new AssertionError(failure);
                })) {
            long first = put(transactions, 1);
            millis.addAndGet(5_000);
            long second = put(transactions, 2);
            for (long time : new long[] {first, first + 1, second - 1}) {
                try (Snapshot at = transactions.snapshotAt(time)) {
                    assertArrayEquals(new byte[] {1}, at.get(Table.DOCUMENTS, KEY));
                    assertEquals(first, at.clusterTime());
                }
            }
            try (Snapshot at = transactions.snapshotAt(second)) {
                assertArrayEquals(new byte[] {2}, at.get(Table.DOCUMENTS, KEY));
            }
            CommandException future = assertThrows(CommandException.class, () -> transactions.snapshotAt(second + 1));
            assertEquals(ErrorCode.SnapshotUnavailable, future.code());
        }
    }

    private static void assertTooOld(Transactions transactions, long time) {
        CommandException tooOld = assertThrows(CommandException.class, () -> transactions.snapshotAt(time));
        assertEquals(ErrorCode.SnapshotTooOld, tooOld.code());
    }

    private static long put(Transactions transactions, int value) {
        try (Transaction transaction = transactions.begin(Isolation.STATEMENT, POLICY, Interruption.unlimited())) {
            transaction.put(Table.DOCUMENTS, KEY, new byte[] {(byte) value});
            Commit commit = transaction.commit();
            commit.awaitApplied();
            return commit.clusterTime();
        }
    }
}
