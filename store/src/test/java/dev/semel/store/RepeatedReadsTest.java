package dev.semel.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.store.key.KeyRange;
import dev.semel.store.rocks.RocksOptions;
import dev.semel.store.rocks.RocksStore;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Few documents, and the same in the table of indexes, written and read again and again at once: each snapshot shows its own time,
 * wherever it finds a document or the entries of a short scan.
 */
class RepeatedReadsTest {
    private static final int KEYS = 40;
    private static final int BATCHES = 3_000;
    private static final int SNAPSHOTS = 8;
    private static final int READERS = 3;

    @TempDir
    private Path directory;

    private final NavigableMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
    private final List<Moment> moments = new CopyOnWriteArrayList<>();
    private final AtomicBoolean isWriting = new AtomicBoolean(true);

    private record Moment(Snapshot snapshot, NavigableMap<byte[], byte[]> model) {}

    private static byte[] key(int number) {
        return ByteBuffer.allocate(8).putInt(number % 3).putInt(number).array();
    }

    @Test
    void everySnapshotShowsItsOwnTime() {
        Seeds.check(1, this::check);
    }

    private void check(Random random) throws Exception {
        try (RocksStore store = RocksStore.open(directory, RocksOptions.small());
                var threads = Executors.newFixedThreadPool(READERS)) {
            List<Snapshot> snapshots = new ArrayList<>();
            List<Future<Long>> readers = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                readers.add(threads.submit(reader(random.nextLong())));
            }
            try {
                for (int i = 1; i <= BATCHES; i++) {
                    write(store, random, i);
                    Snapshot snapshot = store.snapshot(i);
                    snapshots.add(snapshot);
                    moments.add(new Moment(snapshot, new TreeMap<>(model)));
                    if (moments.size() > SNAPSHOTS) {
                        moments.removeFirst();
                    }
                }
            } finally {
                isWriting.set(false);
                for (Future<Long> each : readers) {
                    assertThat(each.get()).isPositive();
                }
                snapshots.forEach(Snapshot::close);
            }
            assertThat(store.figures().get("documentCacheHits")).isPositive();
            assertThat(store.figures().get("scanCacheHits")).isPositive();
        }
    }

    private void write(Store store, Random random, int number) {
        Batch batch = new Batch();
        if (number % 50 == 0) {
            stage(store, batch, random, number);
            store.write(batch, false);
            return;
        }
        for (int rows = random.nextInt(4); rows >= 0; rows--) {
            byte[] key = key(random.nextInt(KEYS));
            switch (random.nextInt(40)) {
                case 0 -> {
                    byte[] collection = Arrays.copyOf(key, 4);
                    batch.deleteRange(Table.DOCUMENTS, KeyRange.prefix(collection));
                    batch.deleteRange(Table.INDEXES, KeyRange.prefix(collection));
                    model.keySet().removeIf(each -> Arrays.equals(each, 0, 4, collection, 0, 4));
                }
                case 1, 2, 3 -> {
                    batch.delete(Table.DOCUMENTS, key);
                    batch.delete(Table.INDEXES, key);
                    model.remove(key);
                }
                default -> {
                    byte[] value = put(batch, random, key, number);
                    batch.put(Table.INDEXES, key, value);
                }
            }
        }
        store.write(batch, false);
    }

    private byte[] put(Batch batch, Random random, byte[] key, int number) {
        byte[] value =
                ByteBuffer.allocate(8).putInt(number).putInt(random.nextInt()).array();
        batch.put(Table.DOCUMENTS, key, value);
        model.put(key, value);
        return value;
    }

    private void stage(Store store, Batch batch, Random random, int number) {
        Batch rows = new Batch();
        // In the order of the keys.
        for (int i = 0; i < KEYS; i += 3) {
            put(rows, random, key(i), number);
        }
        for (int i = 0; i < KEYS; i += 3) {
            byte[] key = key(i);
            rows.put(Table.INDEXES, key, Objects.requireNonNull(model.get(key)));
        }
        batch.staged(store.stage(rows));
    }

    private Callable<Long> reader(long seed) {
        return () -> {
            Random own = new Random(seed);
            long reads = 0;
            while (isWriting.get() || reads == 0) {
                List<Moment> now = List.copyOf(moments);
                if (!now.isEmpty()) {
                    Moment moment = now.get(own.nextInt(now.size()));
                    byte[] key = key(own.nextInt(KEYS));
                    assertSame(moment.snapshot.get(Table.DOCUMENTS, key), moment.model.get(key));
                    byte[] other = key(own.nextInt(KEYS));
                    List<byte @Nullable []> both = moment.snapshot.get(Table.DOCUMENTS, List.of(key, other));
                    assertSame(both.getFirst(), moment.model.get(key));
                    assertSame(both.getLast(), moment.model.get(other));
                    checkScan(moment, Arrays.copyOf(key, 4 + own.nextInt(5)), own);
                    reads++;
                }
            }
            return reads;
        };
    }

    private static void checkScan(Moment moment, byte[] beginning, Random random) {
        KeyRange range = KeyRange.prefix(beginning);
        byte[] high = Objects.requireNonNull(range.high());
        NavigableMap<byte[], byte[]> all = moment.model.subMap(beginning, true, high, false);
        boolean reverse = random.nextInt(4) == 0;
        int most = random.nextInt(2) == 0 ? 1 : Integer.MAX_VALUE;
        int found = 0;
        try (Scan scan = moment.snapshot.scan(Table.INDEXES, range, reverse)) {
            for (Map.Entry<byte[], byte[]> each : (reverse ? all.descendingMap() : all).entrySet()) {
                if (found++ == most) {
                    return;
                }
                assertThat(scan.next()).isTrue();
                assertSame(scan.key(), each.getKey());
                assertSame(scan.value(), each.getValue());
            }
            assertThat(scan.next()).isFalse();
        }
    }

    private static void assertSame(byte @Nullable [] found, byte @Nullable [] expected) {
        if (!Arrays.equals(found, expected)) {
            assertThat(found).isEqualTo(expected);
        }
    }
}
