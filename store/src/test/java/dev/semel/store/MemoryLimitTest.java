package dev.semel.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.store.memory.MemoryStore;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.memory.MemoryAccount;
import dev.semel.wire.memory.MemoryPart;
import dev.semel.wire.memory.Reservation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What clients write, keep open or leave behind must not fill the heap. */
class MemoryLimitTest {
    private static final int MEGABYTE = 1 << 20;
    private static final LockPolicy POLICY = LockPolicy.of(LockPolicy.Kind.STATEMENT, Duration.ofSeconds(1));

    private final AtomicLong seconds = new AtomicLong(1_000_000);

    private final MemoryAccount account = new MemoryAccount("memoryAccountBytesMax", Long.MAX_VALUE);
    private final Transactions transactions = Transactions.open(
            new MemoryStore(),
            TransactionOptions.forHeap(64 * MEGABYTE)
                    .withTransactionBytesMax(8 * MEGABYTE)
                    .withInMemoryBytesMax(18 * MEGABYTE)
                    .withSnapshotBytesMax(4 * MEGABYTE),
            account,
            () -> Instant.ofEpochSecond(seconds.get()),
            System::nanoTime,
            failure -> {
                throw new AssertionError(failure);
            },
            null,
            CommitLog.local(),
            null);

    @AfterEach
    void close() {
        transactions.close();
    }

    private Transaction begin(Isolation isolation) {
        return transactions.begin(isolation, POLICY, Interruption.unlimited());
    }

    private MemoryPart part(String name) {
        return account.parts().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static byte[] key(int number) {
        return new byte[] {0, 0, 0, 1, (byte) (number >> 16), (byte) (number >> 8), (byte) number};
    }

    private void commit(int key, int bytes) {
        try (Transaction transaction = begin(Isolation.STATEMENT)) {
            transaction.put(Table.DOCUMENTS, key(key), new byte[bytes]);
            transaction.commit().awaitApplied();
        }
    }

    private static final class Row implements RecordPart {
        @Override
        public void addTo(CommitDraft draft, List<RecordPart> all) {}

        @Override
        public long heapBytes() {
            return MEGABYTE;
        }
    }

    @Test
    void partsOfTheRecordCountForTheirTransaction() {
        try (Transaction transaction = begin(Isolation.SNAPSHOT)) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 9; i++) {
                            transaction.append(new Row());
                        }
                    })
                    .isInstanceOfSatisfying(
                            CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TransactionTooLarge))
                    .hasMessageContaining("transactionBytesMax");
        }
        assertThat(part("writeSets").bytes()).isZero();
    }

    @Test
    void whatAnOpenViewShowsCountsAfterItIsOverwritten() {
        try (Transaction transaction = begin(Isolation.SNAPSHOT)) {
            List<Snapshot> views = new ArrayList<>();
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 20; i++) {
                            transaction.put(Table.DOCUMENTS, key(1), new byte[MEGABYTE / 4]);
                            views.add(transaction.view());
                            transaction.put(Table.DOCUMENTS, key(1), new byte[MEGABYTE]);
                        }
                    })
                    .hasMessageContaining("transactionBytesMax");
            views.forEach(Snapshot::close);
        }
    }

    @Test
    void versionsThatAreNotShownAnyMoreDoNotCount() {
        try (Transaction transaction = begin(Isolation.SNAPSHOT)) {
            for (int i = 0; i < 100; i++) {
                transaction.savepoint();
                transaction.put(Table.DOCUMENTS, key(1), new byte[MEGABYTE]);
            }
            assertThat(part("writeSets").bytes()).isLessThan(8 * MEGABYTE);
        }
    }

    @Test
    void endedTransactionKeepsNothing() {
        Transaction transaction = begin(Isolation.SNAPSHOT);
        transaction.put(Table.DOCUMENTS, key(1), new byte[MEGABYTE]);
        assertThat(part("writeSets").bytes()).isPositive();
        transaction.rollback();
        assertThat(part("writeSets").bytes()).isZero();
        assertThat(transaction.hasWrites()).isFalse();
    }

    /** One that is read stays while later ones go, and must not be taken for them. */
    @Test
    void timeOfASnapshotThatIsGoneShowsNoOlderOne() {
        commit(1, MEGABYTE);
        List<Long> times = new ArrayList<>();
        try (Snapshot old = transactions.snapshot()) {
            for (int i = 0; i < 20; i++) {
                seconds.addAndGet(10);
                commit(1, MEGABYTE / 4 + i);
                times.add(transactions.visibleTime());
            }
            assertThat(old.get(Table.DOCUMENTS, key(1))).hasSize(MEGABYTE);
            int tooOld = 0;
            for (int i = 0; i < times.size() - 1; i++) {
                for (long time : new long[] {times.get(i), times.get(i) + 1, times.get(i + 1) - 1}) {
                    try (Snapshot at = transactions.snapshotAt(time)) {
                        assertThat(at.get(Table.DOCUMENTS, key(1))).hasSize(MEGABYTE / 4 + i);
                    } catch (CommandException e) {
                        assertThat(e.code()).isEqualTo(ErrorCode.SnapshotTooOld);
                        tooOld++;
                    }
                }
            }
            assertThat(tooOld).isBetween(3, 3 * times.size() - 4);
        }
    }

    @Test
    void snapshotThatIsReadCanBeReadAgain() {
        commit(1, MEGABYTE);
        long time = transactions.visibleTime();
        try (Snapshot first = transactions.snapshotAt(time)) {
            for (int i = 0; i < 20; i++) {
                commit(1, MEGABYTE / 4);
            }
            try (Snapshot again = transactions.snapshotAt(time)) {
                assertThat(again.get(Table.DOCUMENTS, key(1))).hasSize(MEGABYTE);
            }
            assertThat(first.get(Table.DOCUMENTS, key(1))).hasSize(MEGABYTE);
        }
    }

    @Test
    void oldSnapshotsGoWhenTheyKeepTooMuch() {
        commit(1, MEGABYTE / 4);
        long first = transactions.visibleTime();
        try (Snapshot named = transactions.snapshotAt(first)) {
            assertThat(named.get(Table.DOCUMENTS, key(1))).hasSize(MEGABYTE / 4);
        }
        for (int i = 0; i < 100; i++) {
            commit(1, MEGABYTE / 4);
        }
        assertThat(part("data").bytes()).isLessThan(6 * MEGABYTE);
        assertThatThrownBy(() -> transactions.snapshotAt(first).close())
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SnapshotTooOld));
        try (Snapshot newest = transactions.snapshotAt(transactions.visibleTime())) {
            assertThat(newest.get(Table.DOCUMENTS, key(1))).hasSize(MEGABYTE / 4);
        }
    }

    @Test
    void snapshotThatIsReadStaysLongerButNotForEver() {
        for (int i = 0; i < 8; i++) {
            commit(i, MEGABYTE / 4);
        }
        try (Snapshot reader = transactions.snapshot()) {
            for (int i = 0; i < 200; i++) {
                commit(i % 8, MEGABYTE / 4);
            }
            // It keeps no more than there was in it, whatever has been replaced since.
            assertThat(reader.get(Table.DOCUMENTS, key(1))).hasSize(MEGABYTE / 4);
        }
        List<Snapshot> readers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            readers.add(transactions.snapshot());
            commit(i % 8, MEGABYTE / 4);
        }
        assertThat(part("data").bytes()).isLessThan(16 * MEGABYTE);
        assertThatThrownBy(() -> readers.getFirst().get(Table.DOCUMENTS, key(1)))
                .hasMessageContaining("snapshotBytesMax");
        assertThat(readers.getLast().get(Table.DOCUMENTS, key(1))).hasSize(MEGABYTE / 4);
        readers.forEach(Snapshot::close);
    }

    @Test
    void whatIsReadOfTheOldGivesWayToWhatIsWritten() {
        for (int i = 0; i < 24; i++) {
            commit(i, MEGABYTE / 2 - 1024);
        }
        List<Snapshot> readers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            readers.add(transactions.snapshot());
            commit(i % 24, MEGABYTE / 2 - 1024);
            commit(100 + i, 1024);
        }
        assertThat(part("data").refusals()).isZero();
        assertThat(part("data").bytes()).isLessThan(18 * MEGABYTE);
        readers.forEach(Snapshot::close);
    }

    @Test
    void dataInTheHeapHasALimitThatDeletingLowers() {
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100; i++) {
                        commit(i, MEGABYTE / 2 - 1024);
                    }
                })
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ExceededMemoryLimit))
                .hasMessageContaining("inMemoryBytesMax");
        assertThat(part("data").bytes()).isBetween(14L * MEGABYTE, 17L * MEGABYTE);
        try (Transaction transaction = begin(Isolation.STATEMENT)) {
            transaction.deleteRange(Table.DOCUMENTS, KeyRange.ALL);
            transaction.commit().awaitApplied();
        }
        commit(1, MEGABYTE / 4);
        assertThat(part("data").bytes()).isLessThan(10 * MEGABYTE);
    }

    /** Otherwise the largest document could not be written, even alone. */
    @Test
    void whatIsMadeOfADocumentLeavesRoomForTheDocument() {
        long all = part("writeSets").bytesMax();
        try (Transaction transaction = begin(Isolation.STATEMENT);
                Reservation held = transaction.reserve(2 * all)) {
            assertThat(held.bytes()).isEqualTo(all / 2);
            transaction.put(Table.DOCUMENTS, key(1), new byte[(int) (all / 8)]);
            transaction.commit().awaitApplied();
        }
    }
}
