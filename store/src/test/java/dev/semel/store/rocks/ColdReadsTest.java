package dev.semel.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.store.Batch;
import dev.semel.store.Position;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.wire.thread.MustWait;
import dev.semel.wire.thread.SharedThread;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A virtual thread that reads what is not in the cache must not keep its carrier from others, nor read anything else. */
class ColdReadsTest {
    private static final int KEYS = 20_000;

    /** A tenth of the data. */
    private static final RocksOptions SMALL_CACHE =
            new RocksOptions(1 << 20, 0, 4 << 20, 8 << 20, 2, 2000, RocksOptions.Files.USUAL);

    @TempDir
    private Path directory;

    private final NavigableMap<byte[], byte[]> written = new TreeMap<>(Arrays::compareUnsigned);

    private static byte[] key(int number) {
        return ByteBuffer.allocate(4).putInt(number).array();
    }

    private RocksStore filled() {
        Random random = new Random(7);
        try (RocksStore store = RocksStore.open(directory, SMALL_CACHE)) {
            Batch batch = new Batch();
            for (int number = 0; number < KEYS; number++) {
                byte[] value = new byte[random.nextInt(1_000)];
                random.nextBytes(value);
                // Every other number is free.
                written.put(key(2 * number), value);
                batch.put(Table.DOCUMENTS, key(2 * number), value);
            }
            batch.position(new Position(1, 1, 1));
            store.write(batch, true);
            // Otherwise the engine may compact while a test reads, and what is in the cache is of files that are gone.
            store.compact(Table.DOCUMENTS, KeyRange.ALL);
        }
        return RocksStore.open(directory, SMALL_CACHE);
    }

    private static <T> T onVirtualThread(Callable<T> work) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return threads.submit(work).get(60, TimeUnit.SECONDS);
        }
    }

    private static long coldReads(RocksStore store) {
        return store.figures().getOrDefault("coldReads", 0L);
    }

    @Test
    void valuesAreRead() throws Exception {
        try (RocksStore store = filled();
                Snapshot snapshot = store.snapshot(1)) {
            onVirtualThread(() -> {
                for (int number = 0; number < 2 * KEYS; number += 97) {
                    assertThat(snapshot.get(Table.DOCUMENTS, key(number))).isEqualTo(written.get(key(number)));
                }
                return null;
            });
            assertThat(coldReads(store)).isPositive();
        }
    }

    private static <T> T onSharedThread(Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(() -> {
            SharedThread.begin();
            return work.call();
        });
        new SharedThread("shared", task).start();
        return task.get(60, TimeUnit.SECONDS);
    }

    /** Begins again after each preparation, and finds everything in the cache then. */
    private static <T> T afterPreparations(int preparationsMax, Callable<T> work) throws Exception {
        for (int i = 0; i <= preparationsMax; i++) {
            try {
                return onSharedThread(work);
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof MustWait wait)) {
                    throw e;
                }
                CountDownLatch done = new CountDownLatch(1);
                Objects.requireNonNull(wait.preparation()).start(done::countDown);
                assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
            }
        }
        throw new AssertionError("not in the cache after " + preparationsMax + " preparations");
    }

    @Test
    void sharedThreadFindsPreparedValuesInTheCache() throws Exception {
        try (RocksStore store = filled()) {
            for (int number = 0; number < 2 * KEYS; number += 997) {
                byte[] key = key(number);
                byte[] found = afterPreparations(1, () -> {
                    try (Snapshot snapshot = store.snapshot(1)) {
                        return snapshot.get(Table.DOCUMENTS, key);
                    }
                });
                assertThat(found).isEqualTo(written.get(key));
            }
            assertThat(coldReads(store)).isPositive();
        }
    }

    @Test
    void sharedThreadFindsPreparedValuesTogetherInTheCache() throws Exception {
        try (RocksStore store = filled()) {
            List<byte[]> keys = IntStream.range(0, 50)
                    .mapToObj(each -> key(each * 797 % (2 * KEYS)))
                    .toList();
            assertThat(afterPreparations(1, () -> {
                        try (Snapshot snapshot = store.snapshot(1)) {
                            return snapshot.get(Table.DOCUMENTS, keys);
                        }
                    }))
                    .usingElementComparator(Arrays::compare)
                    .isEqualTo(keys.stream().map(written::get).toList());
            assertThat(coldReads(store)).isOne();
        }
    }

    @Test
    void sharedThreadFindsThePreparedBeginningOfAScanInTheCache() throws Exception {
        try (RocksStore store = filled()) {
            for (boolean reverse : new boolean[] {false, true}) {
                KeyRange range = new KeyRange(key(KEYS), key(KEYS + 20));
                List<byte[]> expected = new ArrayList<>(
                        written.subMap(key(KEYS), key(KEYS + 20)).values());
                assertThat(afterPreparations(1, () -> values(store, range, reverse)))
                        .usingElementComparator(Arrays::compare)
                        .isEqualTo(reverse ? expected.reversed() : expected);
            }
            assertThat(coldReads(store)).isPositive();
        }
    }

    private static List<byte[]> values(RocksStore store, KeyRange range, boolean reverse) {
        List<byte[]> values = new ArrayList<>();
        try (Snapshot snapshot = store.snapshot(1);
                Scan scan = snapshot.scan(Table.DOCUMENTS, range, reverse)) {
            while (scan.next()) {
                values.add(scan.value());
            }
        }
        return values;
    }

    @Test
    void severalValuesAreReadAtOnce() throws Exception {
        try (RocksStore store = filled();
                Snapshot snapshot = store.snapshot(1)) {
            List<byte[]> keys = IntStream.range(0, 50)
                    .mapToObj(each -> key(each * 797 % (2 * KEYS)))
                    .toList();
            List<byte[]> expected = keys.stream().map(written::get).toList();
            assertThat(onVirtualThread(() -> snapshot.get(Table.DOCUMENTS, keys)))
                    .usingElementComparator(Arrays::compare)
                    .isEqualTo(expected);
            assertThat(coldReads(store)).isOne();
            assertThat(snapshot.get(Table.DOCUMENTS, keys))
                    .usingElementComparator(Arrays::compare)
                    .isEqualTo(expected);
            assertThat(coldReads(store)).isOne();
        }
    }

    @Test
    void noMoreIsReadAtOnceThanFitsIntoMemory() throws Exception {
        byte[] value = new byte[Math.toIntExact(Snapshot.TOGETHER_BYTES_MAX / 2)];
        new Random(7).nextBytes(value);
        List<byte[]> keys = IntStream.range(0, 6).mapToObj(ColdReadsTest::key).toList();
        try (RocksStore store = RocksStore.open(directory, SMALL_CACHE)) {
            Batch batch = new Batch();
            for (int number : new int[] {0, 2, 3, 4, 5}) {
                batch.put(Table.DOCUMENTS, key(number), value);
            }
            batch.position(new Position(1, 1, 1));
            store.write(batch, true);
            try (Snapshot snapshot = store.snapshot(1)) {
                assertThat(snapshot.get(Table.DOCUMENTS, keys))
                        .usingElementComparator(Arrays::compare)
                        .containsExactly(value, null, value);
                assertThat(onVirtualThread(() -> snapshot.get(Table.DOCUMENTS, keys)))
                        .usingElementComparator(Arrays::compare)
                        .containsExactly(value, null, value);
            }
        }
    }

    @Test
    void platformThreadsReadForThemselves() {
        try (RocksStore store = filled();
                Snapshot snapshot = store.snapshot(1)) {
            assertThat(snapshot.get(Table.DOCUMENTS, key(0))).isEqualTo(written.get(key(0)));
            assertThat(count(snapshot, false)).isEqualTo(KEYS);
            assertThat(coldReads(store)).isZero();
        }
    }

    private static int count(Snapshot snapshot, boolean reverse) {
        int count = 0;
        try (Scan scan = snapshot.scan(Table.DOCUMENTS, KeyRange.ALL, reverse)) {
            while (scan.next()) {
                count++;
            }
        }
        return count;
    }

    /** Reading ahead keeps the number of times low that a scan changes threads. */
    @Test
    void wholeScansChangeThreadsSeldom() throws Exception {
        try (RocksStore store = filled();
                Snapshot snapshot = store.snapshot(1)) {
            assertThat(onVirtualThread(() -> count(snapshot, false))).isEqualTo(KEYS);
            assertThat(coldReads(store)).isBetween(1L, 200L);
            assertThat(onVirtualThread(() -> count(snapshot, true))).isEqualTo(KEYS);
        }
    }

    @Test
    void scansFindWhatIsThere() throws Exception {
        try (RocksStore store = filled();
                Snapshot snapshot = store.snapshot(1)) {
            Seeds.check(
                    60,
                    random -> onVirtualThread(() -> {
                        walk(snapshot, random);
                        return null;
                    }));
            assertThat(coldReads(store)).isPositive();
        }
    }

    /** Steps and skips at random, as far as a few thousand entries. */
    private void walk(Snapshot snapshot, Random random) {
        int low = random.nextInt(2 * KEYS);
        int high = low + random.nextInt(2 * KEYS - low + 1);
        boolean reverse = random.nextBoolean();
        NavigableMap<byte[], byte[]> expected = written.subMap(key(low), true, key(high), false);
        expected = reverse ? expected.descendingMap() : expected;
        try (Scan scan = snapshot.scan(Table.DOCUMENTS, new KeyRange(key(low), key(high)), reverse)) {
            var next = expected.firstEntry();
            for (int step = random.nextInt(3_000); step >= 0; step--) {
                assertThat(scan.next()).isEqualTo(next != null);
                if (next == null) {
                    return;
                }
                assertThat(scan.key()).isEqualTo(next.getKey());
                assertThat(scan.value()).isEqualTo(next.getValue());
                if (random.nextInt(20) == 0) {
                    int skip = random.nextInt(500) * (reverse ? -1 : 1);
                    int to = Math.max(0, ByteBuffer.wrap(next.getKey()).getInt() + skip);
                    scan.seek(key(to));
                    // What does not lie beyond the entry that it stands on changes nothing.
                    boolean isBeyond = expected.comparator().compare(key(to), next.getKey()) > 0;
                    next = isBeyond ? expected.ceilingEntry(key(to)) : expected.higherEntry(next.getKey());
                } else {
                    next = expected.higherEntry(next.getKey());
                }
            }
        }
    }
}
