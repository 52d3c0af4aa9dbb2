package dev.semel.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commits that are staged because of their size. */
@Timeout(60)
class LargeCommitTest {
    private static final LockPolicy POLICY = LockPolicy.of(LockPolicy.Kind.STATEMENT, Duration.ofSeconds(4));
    private static final int ROWS = 40_000;
    private static final long OTHERS = 1L << 40;

    @TempDir
    private Path directory;

    private final AtomicReference<Throwable> fatal = new AtomicReference<>();

    private Transactions open(Store store) {
        return Transactions.open(
                store, TransactionOptions.forHeap(1 << 30), InstantSource.system(), System::nanoTime, fatal::set);
    }

    private static byte[] key(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    private static Transaction begin(Transactions transactions, Isolation isolation) {
        return transactions.begin(isolation, POLICY, Interruption.unlimited());
    }

    private static void putAll(Transaction transaction, int version) {
        for (int i = 0; i < ROWS; i++) {
            transaction.put(Table.DOCUMENTS, key(i), key(version));
        }
        transaction.put(Table.RECORDS, key(0), key(version));
    }

    private static void deleteAll(Transaction transaction) {
        for (int i = 0; i < ROWS; i++) {
            transaction.delete(Table.DOCUMENTS, key(i));
        }
        transaction.delete(Table.RECORDS, key(0));
    }

    private static int count(Snapshot snapshot, long from, long to) {
        int count = 0;
        try (Scan scan = snapshot.scan(Table.DOCUMENTS, new KeyRange(key(from), key(to)), false)) {
            while (scan.next()) {
                count++;
            }
        }
        return count;
    }

    @ParameterizedTest
    @EnumSource(StoreTest.Engine.class)
    void isSeenAsAWholeAndLosesNothingOfOthers(StoreTest.Engine engine) throws InterruptedException {
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicReference<Integer> written = new AtomicReference<>(0);
        try (Transactions transactions = open(engine.open(directory))) {
            Thread others = Thread.ofPlatform().start(() -> {
                for (int i = 0; !stopped.get(); i++) {
                    try (Transaction small = begin(transactions, Isolation.STATEMENT)) {
                        small.put(Table.DOCUMENTS, key(OTHERS + i), key(i));
                        small.commit().awaitApplied();
                        written.set(i + 1);
                    }
                }
            });
            Thread reader = Thread.ofPlatform().start(() -> {
                try {
                    while (!stopped.get()) {
                        try (Snapshot snapshot = transactions.snapshot()) {
                            boolean isThere = snapshot.get(Table.RECORDS, key(0)) != null;
                            assertThat(count(snapshot, 0, ROWS)).isEqualTo(isThere ? ROWS : 0);
                        }
                    }
                } catch (Throwable e) {
                    failure.set(e);
                }
            });
            for (int round = 0; round < 3; round++) {
                try (Transaction large = begin(transactions, Isolation.STATEMENT)) {
                    putAll(large, round);
                    large.commit().awaitApplied();
                }
                try (Transaction large = begin(transactions, Isolation.STATEMENT)) {
                    deleteAll(large);
                    large.commit().awaitDurable();
                }
            }
            stopped.set(true);
            others.join();
            reader.join();
            try (Snapshot snapshot = transactions.snapshot()) {
                assertThat(count(snapshot, 0, ROWS)).isZero();
                assertThat(count(snapshot, OTHERS, Long.MAX_VALUE)).isEqualTo(written.get());
            }
        }
        assertThat(failure.get()).isNull();
        assertThat(fatal.get()).isNull();
    }

    @ParameterizedTest
    @EnumSource(StoreTest.Engine.class)
    void isNoticedByThoseThatBeganBefore(StoreTest.Engine engine) {
        try (Transactions transactions = open(engine.open(directory));
                Transaction before = begin(transactions, Isolation.SNAPSHOT);
                Transaction large = begin(transactions, Isolation.STATEMENT)) {
            putAll(large, 1);
            large.mark(Table.INDEXES, key(7));
            large.commit().awaitApplied();
            assertThat(before.changedSinceSnapshot(Table.DOCUMENTS, key(ROWS - 1)))
                    .isTrue();
            assertThat(before.changedSinceSnapshot(Table.DOCUMENTS, key(ROWS))).isFalse();
            assertThat(before.changedSinceSnapshot(Table.INDEXES, key(7))).isTrue();
            try (Transaction after = begin(transactions, Isolation.SNAPSHOT)) {
                assertThat(after.changedSinceSnapshot(Table.DOCUMENTS, key(1))).isFalse();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(StoreTest.Engine.class)
    void twoAtATimeBothCommit(StoreTest.Engine engine) {
        try (Transactions transactions = open(engine.open(directory));
                Transaction one = begin(transactions, Isolation.STATEMENT);
                Transaction other = begin(transactions, Isolation.STATEMENT)) {
            putAll(one, 1);
            for (int i = 0; i < ROWS; i++) {
                other.put(Table.DOCUMENTS, key(OTHERS + i), key(2));
            }
            Commit first = one.commit();
            Commit second = other.commit();
            first.awaitDurable();
            second.awaitDurable();
            try (Snapshot snapshot = transactions.snapshot()) {
                assertThat(count(snapshot, 0, Long.MAX_VALUE)).isEqualTo(2 * ROWS);
            }
        }
    }
}
