package dev.semel.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.store.key.KeyRange;
import dev.semel.store.memory.MemoryStore;
import dev.semel.store.rocks.RocksOptions;
import dev.semel.store.rocks.RocksStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every engine against sorted maps: batches, snapshots, walks in both directions. */
class StoreTest {
    @TempDir
    private Path directory;

    enum Engine {
        MEMORY,
        ROCKS;

        Store open(Path directory) {
            return switch (this) {
                case MEMORY -> new MemoryStore();
                case ROCKS -> RocksStore.open(directory, RocksOptions.small());
            };
        }
    }

    /** One instant: a sorted map for each table. */
    private record Model(Map<Table, NavigableMap<byte[], byte[]>> tables) implements Batch.Target {
        static Model empty() {
            Map<Table, NavigableMap<byte[], byte[]>> tables = new EnumMap<>(Table.class);
            for (Table table : Table.values()) {
                tables.put(table, new TreeMap<>(Arrays::compareUnsigned));
            }
            return new Model(tables);
        }

        Model copy() {
            Model copy = empty();
            tables.forEach((table, rows) -> copy.of(table).putAll(rows));
            return copy;
        }

        NavigableMap<byte[], byte[]> of(Table table) {
            return java.util.Objects.requireNonNull(tables.get(table));
        }

        NavigableMap<byte[], byte[]> of(Table table, KeyRange range) {
            if (range.isEmpty()) {
                return new TreeMap<>(Arrays::compareUnsigned);
            }
            byte[] high = range.high();
            return high == null
                    ? of(table).tailMap(range.low(), true)
                    : of(table).subMap(range.low(), true, high, false);
        }

        @Override
        public void put(Table table, byte[] key, byte[] value) {
            of(table).put(key, value);
        }

        @Override
        public void delete(Table table, byte[] key) {
            of(table).remove(key);
        }

        @Override
        public void deleteRange(Table table, KeyRange range) {
            of(table, range).clear();
        }
    }

    private record Instant(Snapshot snapshot, Model model) {}

    @ParameterizedTest
    @EnumSource(Engine.class)
    void behavesAsSortedMapsAtEveryInstant(Engine engine) {
        Seeds.check(6, random -> {
            Path own = newDirectory();
            try (Store store = engine.open(own)) {
                Model model = Model.empty();
                List<Instant> instants = new ArrayList<>();
                for (int round = 1; round <= 60; round++) {
                    Batch batch = randomBatch(random);
                    batch.position(new Position(1, round, round));
                    store.write(batch, random.nextInt(10) == 0);
                    batch.applyTo(model);
                    if (random.nextInt(4) == 0) {
                        instants.add(new Instant(store.snapshot(round), model.copy()));
                    }
                    if (random.nextInt(8) == 0) {
                        store.syncLog();
                    }
                    if (!instants.isEmpty() && random.nextInt(8) == 0) {
                        check(instants.get(random.nextInt(instants.size())), random);
                    }
                    if (random.nextInt(16) == 0) {
                        store.compact(Table.at(random.nextInt(Table.values().length)), KeyRange.ALL);
                    }
                }
                instants.add(new Instant(store.snapshot(60), model));
                assertThat(store.position().clusterTime()).isEqualTo(60);
                for (Instant each : instants) {
                    check(each, random);
                    each.snapshot.close();
                    each.snapshot.close();
                }
            }
        });
    }

    private static Batch randomBatch(Random random) {
        Batch batch = new Batch();
        int changes = random.nextInt(40);
        for (int i = 0; i < changes; i++) {
            Table table = Table.at(random.nextInt(Table.values().length));
            int kind = random.nextInt(40);
            if (kind == 0) {
                batch.deleteRange(table, range(random));
            } else if (kind < 8) {
                batch.delete(table, key(random));
            } else {
                byte[] value = new byte[random.nextInt(20) == 0 ? random.nextInt(20_000) : random.nextInt(30)];
                random.nextBytes(value);
                batch.put(table, key(random), value);
            }
        }
        return batch;
    }

    private static void check(Instant instant, Random random) {
        for (Table table : Table.values()) {
            for (int i = 0; i < 20; i++) {
                byte[] key = key(random);
                assertThat(instant.snapshot.get(table, key))
                        .isEqualTo(instant.model.of(table).get(key));
            }
            for (int i = 0; i < 6; i++) {
                KeyRange range = i == 0 ? KeyRange.ALL : range(random);
                NavigableMap<byte[], byte[]> rows = instant.model.of(table, range);
                checkWalk(instant.snapshot, table, range, false, rows, random);
                checkWalk(instant.snapshot, table, range, true, rows.descendingMap(), random);
            }
        }
    }

    private static void checkWalk(
            Snapshot snapshot,
            Table table,
            KeyRange range,
            boolean reverse,
            NavigableMap<byte[], byte[]> rows,
            Random random) {
        try (Scan scan = snapshot.scan(table, range, reverse)) {
            for (Map.Entry<byte[], byte[]> each : rows.entrySet()) {
                assertThat(scan.next()).isTrue();
                assertThat(Arrays.copyOf(scan.transientValue(), each.getValue().length))
                        .isEqualTo(each.getValue());
                assertThat(scan.key()).isEqualTo(each.getKey());
                assertThat(scan.value()).isEqualTo(each.getValue());
            }
            assertThat(scan.next()).isFalse();
            assertThat(scan.next()).isFalse();
        }
        checkSkips(snapshot, table, range, reverse, rows, random);
    }

    private static void checkSkips(
            Snapshot snapshot,
            Table table,
            KeyRange range,
            boolean reverse,
            NavigableMap<byte[], byte[]> rows,
            Random random) {
        List<byte[]> keys = new ArrayList<>(rows.keySet());
        try (Scan scan = snapshot.scan(table, range, reverse)) {
            int ahead = 0;
            while (true) {
                if (random.nextInt(3) == 0) {
                    byte[] target = key(random);
                    scan.seek(target);
                    while (ahead < keys.size() && isBehind(keys.get(ahead), target, reverse)) {
                        ahead++;
                    }
                }
                if (ahead == keys.size()) {
                    assertThat(scan.next()).isFalse();
                    return;
                }
                assertThat(scan.next()).isTrue();
                assertThat(scan.key()).isEqualTo(keys.get(ahead));
                ahead++;
            }
        }
    }

    private static boolean isBehind(byte[] key, byte[] target, boolean reverse) {
        int order = Arrays.compareUnsigned(key, target);
        return reverse ? order > 0 : order < 0;
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void estimatesAreOfTheRightMagnitude(Engine engine) {
        try (Store store = engine.open(directory)) {
            Batch batch = new Batch();
            for (int i = 0; i < 20_000; i++) {
                batch.put(Table.DOCUMENTS, new byte[] {1, (byte) (i >> 8), (byte) i}, new byte[100]);
            }
            store.write(batch, false);
            KeyRange half = KeyRange.atLeast(new byte[] {1, (byte) (10_000 >> 8), (byte) 10_000});
            assertThat(store.approximateCount(Table.DOCUMENTS, half)).isBetween(3_000L, 30_000L);
            assertThat(store.approximateBytes(Table.DOCUMENTS, half)).isBetween(300_000L, 3_500_000L);
            assertThat(store.approximateCount(Table.DOCUMENTS, KeyRange.prefix(new byte[] {2})))
                    .isZero();
            assertThat(store.approximateBytes(Table.INDEXES, KeyRange.ALL)).isZero();
            assertThat(store.figures()).containsKey("documentsBytes");
        }
    }

    private Path newDirectory() {
        try {
            return Files.createTempDirectory(directory, "store");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static KeyRange range(Random random) {
        return KeyRange.of(
                random.nextInt(4) == 0 ? null : key(random),
                random.nextBoolean(),
                random.nextInt(4) == 0 ? null : key(random),
                random.nextBoolean());
    }

    private static byte[] key(Random random) {
        int number = random.nextInt(300);
        byte[] key = {(byte) (number >> 8 == 0 ? 1 : 0xFF), (byte) number, 7};
        return Arrays.copyOf(key, 2 + (number & 1));
    }
}
