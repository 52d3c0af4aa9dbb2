package dev.semel.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.store.Batch;
import dev.semel.store.Position;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WalksTest {
    private static final KeyRange MIDDLE = new KeyRange(new byte[] {3}, new byte[] {6});

    @TempDir
    private Path directory;

    private RocksStore store;

    @BeforeEach
    void openWithNineRows() {
        store = RocksStore.open(directory, RocksOptions.small());
        Batch batch = new Batch();
        for (byte i = 1; i < 10; i++) {
            batch.put(Table.INDEXES, new byte[] {i}, new byte[] {i});
        }
        write(batch, 1);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void write(Batch batch, long time) {
        batch.position(new Position(1, time, time));
        store.write(batch, false);
    }

    private List<Integer> keys(Snapshot snapshot, KeyRange range, boolean reverse) {
        List<Integer> keys = new ArrayList<>();
        try (Scan scan = snapshot.scan(Table.INDEXES, range, reverse)) {
            while (scan.next()) {
                keys.add((int) scan.key()[0]);
            }
        }
        return keys;
    }

    private int kept() {
        return store.walks().count();
    }

    @Test
    void oneWalkServesManyRangesInBothDirectionsAndAnySnapshot() {
        try (Snapshot old = store.snapshot(1)) {
            assertThat(keys(old, MIDDLE, true)).containsExactly(5, 4, 3);
            Batch batch = new Batch();
            batch.deleteRange(Table.INDEXES, new KeyRange(new byte[] {2}, new byte[] {5}));
            batch.put(Table.INDEXES, new byte[] {3}, new byte[] {0});
            write(batch, 2);
            try (Snapshot young = store.snapshot(2)) {
                assertThat(keys(young, new KeyRange(new byte[0], new byte[] {3}), false))
                        .containsExactly(1);
                assertThat(keys(young, MIDDLE, false)).containsExactly(3, 5);
                assertThat(keys(young, new KeyRange(new byte[] {1}, new byte[] {9}), true))
                        .containsExactly(8, 7, 6, 5, 3, 1);
                assertThat(keys(old, MIDDLE, false)).containsExactly(3, 4, 5);
                assertThat(keys(old, new KeyRange(new byte[0], new byte[] {3}), true))
                        .containsExactly(2, 1);
                assertThat(kept()).isEqualTo(1);
            }
        }
    }

    @Test
    void thoseForLongKeysOrWithoutAnEndAreNotKept() {
        byte[] longKey = Arrays.copyOf(new byte[] {8, 8}, 600);
        Batch batch = new Batch();
        batch.put(Table.INDEXES, longKey, new byte[] {8});
        write(batch, 2);
        try (Snapshot snapshot = store.snapshot(2)) {
            assertThat(keys(snapshot, MIDDLE, false)).containsExactly(3, 4, 5);
            assertThat(kept()).isEqualTo(1);
            assertThat(keys(snapshot, new KeyRange(new byte[] {8}, longKey), false))
                    .containsExactly(8);
            assertThat(keys(snapshot, new KeyRange(longKey, new byte[] {9, 1}), true))
                    .containsExactly(9, 8);
            assertThat(keys(snapshot, KeyRange.atLeast(new byte[] {8}), false)).containsExactly(8, 8, 9);
            assertThat(kept()).isEqualTo(1);
        }
    }

    @Test
    void asManyAsAreOpenAtOnceUpToTheLimit() {
        try (Snapshot snapshot = store.snapshot(1)) {
            List<Scan> scans = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                Scan scan = snapshot.scan(Table.INDEXES, MIDDLE, i % 2 == 0);
                assertThat(scan.next()).isTrue();
                scans.add(scan);
            }
            for (int i = 0; i < 20; i++) {
                assertThat(scans.get(i).key()).containsExactly(i % 2 == 0 ? 5 : 3);
            }
            scans.forEach(Scan::close);
            assertThat(kept()).isEqualTo(8);
        }
    }

    @Test
    void noneIsKeptBeyondAChangeOfFiles() {
        try (Snapshot snapshot = store.snapshot(1)) {
            Scan begunBefore = snapshot.scan(Table.INDEXES, MIDDLE, false);
            assertThat(keys(snapshot, MIDDLE, false)).containsExactly(3, 4, 5);
            assertThat(begunBefore.next()).isTrue();
            assertThat(keys(snapshot, MIDDLE, false)).containsExactly(3, 4, 5);
            assertThat(kept()).isEqualTo(1);
            store.compact(Table.INDEXES, KeyRange.ALL);
            await(() -> kept() == 0);
            begunBefore.close();
            assertThat(kept()).isZero();
            assertThat(keys(snapshot, MIDDLE, false)).containsExactly(3, 4, 5);
        }
    }

    @Test
    void noneHoldsLargeDocuments() {
        Random random = new Random(1);
        for (byte i = 0; i < 8; i++) {
            byte[] large = new byte[4 << 20];
            random.nextBytes(large);
            Batch batch = new Batch();
            batch.put(Table.DOCUMENTS, new byte[] {i}, large);
            write(batch, i + 2);
        }
        store.compact(Table.DOCUMENTS, KeyRange.ALL);
        try (Snapshot snapshot = store.snapshot(9)) {
            for (int round = 0; round < 20; round++) {
                List<Scan> scans = new ArrayList<>();
                for (byte i = 0; i < 8; i++) {
                    Scan scan = snapshot.scan(Table.DOCUMENTS, new KeyRange(new byte[] {i}, new byte[] {8}), false);
                    assertThat(scan.next()).isTrue();
                    scans.add(scan);
                }
                scans.forEach(Scan::close);
                assertThat(store.figures().get("cachePinnedBytes"))
                        .isLessThanOrEqualTo(RocksOptions.small().cacheBytes() / 8);
            }
        }
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }
}
