package dev.semel.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.store.Batch;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetiredRangesTest {
    private static final int ROWS = 6_000;
    private static final int VALUE_BYTES = 1_000;
    private static final long BYTES = (long) ROWS * VALUE_BYTES;

    @TempDir
    private Path directory;

    private final Random random = new Random(1);

    private RocksStore open() {
        return RocksStore.open(directory, RocksOptions.small());
    }

    private static byte[] key(int number, int row) {
        return ByteBuffer.allocate(8).putInt(number).putInt(row).array();
    }

    private static KeyRange range(int number) {
        return KeyRange.prefix(ByteBuffer.allocate(4).putInt(number).array());
    }

    private void fill(RocksStore store, Table table, int number) {
        for (int first = 0; first < ROWS; first += 500) {
            Batch batch = new Batch();
            for (int row = first; row < first + 500; row++) {
                byte[] value = new byte[VALUE_BYTES];
                random.nextBytes(value);
                batch.put(table, key(number, row), value);
            }
            store.write(batch, false);
        }
    }

    /** In a file of their own. */
    private void fillFile(RocksStore store, Table table, int number) {
        fill(store, table, number);
        store.compact(table, range(number));
    }

    private static void retire(RocksStore store, Table table, KeyRange range) {
        Batch batch = new Batch();
        batch.retire(table, range);
        store.write(batch, false);
    }

    private static int count(Snapshot snapshot, Table table, KeyRange range) {
        int count = 0;
        try (Scan scan = snapshot.scan(table, range, false)) {
            while (scan.next()) {
                count++;
            }
        }
        return count;
    }

    private static int countNow(RocksStore store, Table table, KeyRange range) {
        try (Snapshot snapshot = store.snapshot(1)) {
            return count(snapshot, table, range);
        }
    }

    private static long figure(RocksStore store, String name) {
        return store.figures().getOrDefault(name, -1L);
    }

    private static long fileBytes(RocksStore store) {
        return figure(store, "fileBytes");
    }

    @Test
    void filesGoWhenNoSnapshotShowsTheRows() {
        try (RocksStore store = open()) {
            fillFile(store, Table.DOCUMENTS, 5);
            fillFile(store, Table.DOCUMENTS, 6);
            long before = fileBytes(store);
            Snapshot old = store.snapshot(1);
            retire(store, Table.DOCUMENTS, range(5));
            try (Snapshot later = store.snapshot(2)) {
                store.reclaim();
                assertThat(figure(store, "retiredRanges")).isEqualTo(1);
                assertThat(fileBytes(store)).isGreaterThanOrEqualTo(before);
                assertThat(count(old, Table.DOCUMENTS, range(5))).isEqualTo(ROWS);
                old.close();
                store.reclaim();
                assertThat(count(later, Table.DOCUMENTS, range(6))).isEqualTo(ROWS);
            }
            assertThat(figure(store, "retiredRanges")).isZero();
            assertThat(fileBytes(store)).isBetween(BYTES, before - BYTES / 2);
            assertThat(countNow(store, Table.DOCUMENTS, range(5))).isZero();
            assertThat(countNow(store, Table.DOCUMENTS, range(6))).isEqualTo(ROWS);
        }
    }

    @Test
    void aWalkGoesOnOverFilesThatAreDeleted() {
        try (RocksStore store = open()) {
            fillFile(store, Table.INDEXES, 5);
            Snapshot old = store.snapshot(1);
            try (Scan scan = old.scan(Table.INDEXES, range(5), false)) {
                assertThat(scan.next()).isTrue();
                retire(store, Table.INDEXES, range(5));
                old.close();
                store.reclaim();
                int left = 0;
                while (scan.next()) {
                    left++;
                }
                assertThat(left).isEqualTo(ROWS - 1);
            }
            assertThat(countNow(store, Table.INDEXES, range(5))).isZero();
        }
    }

    @Test
    void theNextProcessReclaimsWhatThisOneDidNot() {
        long before;
        try (RocksStore store = open()) {
            fillFile(store, Table.DOCUMENTS, 5);
            fillFile(store, Table.DOCUMENTS, 6);
            before = fileBytes(store);
            retire(store, Table.DOCUMENTS, range(5));
        }
        for (boolean isFirst : new boolean[] {true, false}) {
            try (RocksStore store = open()) {
                store.reclaim();
                assertThat(fileBytes(store)).as("first %s", isFirst).isLessThan(before - BYTES / 2);
                assertThat(countNow(store, Table.DOCUMENTS, range(5))).isZero();
                assertThat(countNow(store, Table.DOCUMENTS, range(6))).isEqualTo(ROWS);
            }
        }
    }

    @Test
    void theBeginningOfTheLogGoesWithoutADeletion() {
        try (RocksStore store = open()) {
            fillFile(store, Table.OPLOG, 5);
            fillFile(store, Table.OPLOG, 6);
            long before = fileBytes(store);
            retire(store, Table.OPLOG, new KeyRange(new byte[0], key(6, 10)));
            store.reclaim();
            assertThat(fileBytes(store)).isBetween(BYTES, before - BYTES / 2);
            assertThat(countNow(store, Table.OPLOG, range(5))).isZero();
            // What shares a file with later entries is left.
            assertThat(countNow(store, Table.OPLOG, range(6))).isEqualTo(ROWS);
        }
    }

    @Test
    void moreThanMayWaitAreReclaimedAllTheSame() {
        int ranges = RetiredRanges.WAITING_MAX + 100;
        try (RocksStore store = open()) {
            Batch rows = new Batch();
            Batch retired = new Batch();
            for (int i = 0; i < ranges; i++) {
                rows.put(Table.DOCUMENTS, key(i, 1), new byte[] {1});
                retired.retire(Table.DOCUMENTS, range(i));
            }
            rows.put(Table.DOCUMENTS, key(ranges, 1), new byte[] {1});
            store.write(rows, false);
            store.write(retired, false);
            assertThat(figure(store, "retiredRanges")).isEqualTo(RetiredRanges.WAITING_MAX);
            store.reclaim();
            assertThat(countNow(store, Table.DOCUMENTS, KeyRange.ALL)).isEqualTo(101);
            store.reclaim();
            assertThat(countNow(store, Table.DOCUMENTS, KeyRange.ALL)).isEqualTo(1);
        }
    }

    @Test
    void aRangeWithoutAnEndIsDeletedAtOnce() {
        try (RocksStore store = open()) {
            fill(store, Table.DOCUMENTS, 5);
            retire(store, Table.DOCUMENTS, KeyRange.atLeast(key(5, 10)));
            assertThat(countNow(store, Table.DOCUMENTS, KeyRange.ALL)).isEqualTo(10);
            assertThat(figure(store, "retiredRanges")).isZero();
        }
    }

    @Test
    void aScratchStoreDeletesAtOnce() {
        try (RocksStore store = open();
                RocksStore scratch = (RocksStore) store.scratch(directory.resolve("own"))) {
            fill(scratch, Table.DOCUMENTS, 5);
            retire(scratch, Table.DOCUMENTS, range(5));
            assertThat(countNow(scratch, Table.DOCUMENTS, KeyRange.ALL)).isZero();
        }
    }
}
