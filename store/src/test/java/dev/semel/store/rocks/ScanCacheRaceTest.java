package dev.semel.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.store.Batch;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What readers find while a writer moves one entry from key to key, and beginnings of ever new lengths are looked for. */
class ScanCacheRaceTest {
    private static final int MOVES = 3_000;
    private static final int READERS = 3;
    private static final int LENGTH_MAX = 40;

    @TempDir
    Path directory;

    private final AtomicBoolean isOver = new AtomicBoolean();

    /** The number of the move, behind as many bytes as all keys begin with. */
    private static byte[] key(int move) {
        return ByteBuffer.allocate(LENGTH_MAX + Integer.BYTES)
                .putInt(LENGTH_MAX, move)
                .array();
    }

    private static Batch move(int to) {
        Batch batch = new Batch();
        batch.delete(Table.INDEXES, key(to - 1));
        batch.put(Table.INDEXES, key(to), new byte[0]);
        return batch;
    }

    @Test
    void aReaderFindsTheNewestEntryThatWasWrittenBefore() throws ExecutionException, InterruptedException {
        try (RocksStore store = RocksStore.open(directory, RocksOptions.small());
                var threads = Executors.newCachedThreadPool()) {
            store.write(move(1), false);
            AtomicInteger written = new AtomicInteger(1);
            List<Future<Void>> readers = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                readers.add(threads.submit(reader(store, written)));
            }
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            for (int move = 2; move <= MOVES || isUnused(store, deadline); move++) {
                store.write(move(move), false);
                written.set(move);
            }
            isOver.set(true);
            for (Future<Void> each : readers) {
                each.get();
            }
            assertThat(store.caches().scans().hits()).isPositive();
        }
    }

    /** On few processors, the moves may be over before anybody has read twice between two of them. */
    private static boolean isUnused(RocksStore store, long deadline) {
        return store.caches().scans().hits() == 0 && System.nanoTime() < deadline;
    }

    private Callable<Void> reader(RocksStore store, AtomicInteger written) {
        return () -> {
            int length = 0;
            while (!isOver.get()) {
                length = length % LENGTH_MAX + 1;
                for (int i = 0; i < 4; i++) {
                    int before = written.get();
                    int found = find(store, length);
                    assertThat(found).isBetween(before, written.get() + 1);
                }
            }
            return null;
        };
    }

    private static int find(RocksStore store, int length) {
        try (Snapshot snapshot = store.snapshot(0);
                Scan scan = snapshot.scan(Table.INDEXES, KeyRange.prefix(new byte[length]), false)) {
            assertThat(scan.next()).isTrue();
            int found = ByteBuffer.wrap(scan.key()).getInt(LENGTH_MAX);
            assertThat(scan.next()).isFalse();
            return found;
        }
    }
}
