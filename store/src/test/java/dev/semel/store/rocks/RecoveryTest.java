package dev.semel.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.store.Batch;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** Closing writes out nothing, so opening again does all that it does after a crash of the process. */
class RecoveryTest {
    private static final List<Table> TABLES = List.of(Table.DOCUMENTS, Table.INDEXES, Table.OPLOG, Table.RECORDS);
    private static final int KEYS = 200;
    private static final int LARGE_BYTES = 700_000;

    @TempDir
    private Path directory;

    /** What must be there. */
    private final Map<Table, SortedMap<Integer, byte[]>> rows = new EnumMap<>(Table.class);

    private SortedMap<Integer, byte[]> of(Table table) {
        return Objects.requireNonNull(rows.get(table));
    }

    private static RocksStore open(Path files) {
        return RocksStore.open(files, RocksOptions.small());
    }

    private static byte[] key(int number) {
        return ByteBuffer.allocate(4).putInt(number).array();
    }

    @Test
    void everyBatchIsThereWhateverTheFilesHave() {
        Seeds.check(3, random -> {
            Path files = Files.createTempDirectory(directory, "store");
            for (Table each : TABLES) {
                rows.put(each, new TreeMap<>());
            }
            RocksStore store = open(files);
            try {
                for (int step = 0; step < 80; step++) {
                    switch (random.nextInt(12)) {
                        case 0 -> store.flush(true);
                        case 1 -> store.compact(table(random), KeyRange.ALL);
                        case 2 -> stage(store, random);
                        case 3 -> store.reclaim();
                        case 4, 5 -> {
                            store.close();
                            store = open(files);
                            assertRows(store);
                        }
                        default -> store.write(batch(random), random.nextBoolean());
                    }
                }
            } finally {
                store.close();
            }
        });
    }

    private static Table table(Random random) {
        return TABLES.get(random.nextInt(TABLES.size()));
    }

    /** One in ten is too large to be encoded in one piece. */
    private Batch batch(Random random) {
        Batch batch = new Batch();
        boolean isLarge = random.nextInt(10) == 0;
        int count = isLarge ? 8 : 1 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            Table table = table(random);
            int key = random.nextInt(KEYS);
            if (random.nextInt(20) == 0) {
                batch.deleteRange(table, KeyRange.of(key(key), true, key(key + 20), false));
                of(table).subMap(key, key + 20).clear();
            } else if (random.nextInt(4) == 0) {
                batch.delete(table, key(key));
                of(table).remove(key);
            } else {
                byte[] value = new byte[isLarge ? LARGE_BYTES : random.nextInt(20_000)];
                random.nextBytes(value);
                batch.put(table, key(key), value);
                of(table).put(key, value);
            }
        }
        return batch;
    }

    /** Over rows that are there, some of them in memory only. */
    private void stage(RocksStore store, Random random) throws RocksDBException {
        Batch staged = new Batch();
        int first = random.nextInt(KEYS);
        for (Table table : List.of(Table.DOCUMENTS, Table.INDEXES)) {
            for (int key = first; key < first + 10; key++) {
                byte[] value = new byte[random.nextInt(1000)];
                random.nextBytes(value);
                staged.put(table, key(key), value);
                of(table).put(key, value);
            }
        }
        Batch commit = new Batch();
        commit.put(Table.OPLOG, key(first), key(first));
        of(Table.OPLOG).put(first, key(first));
        store.ingestion().write(commit, store.ingestion().stage(staged));
    }

    private void assertRows(RocksStore store) {
        try (Snapshot snapshot = store.snapshot(1)) {
            for (Table table : TABLES) {
                try (Scan scan = snapshot.scan(table, KeyRange.ALL, false)) {
                    for (Map.Entry<Integer, byte[]> each : of(table).entrySet()) {
                        assertThat(scan.next()).isTrue();
                        assertThat(scan.key()).isEqualTo(key(each.getKey()));
                        assertThat(Arrays.equals(scan.value(), each.getValue())).isTrue();
                    }
                    assertThat(scan.next()).isFalse();
                }
            }
        }
    }
}
