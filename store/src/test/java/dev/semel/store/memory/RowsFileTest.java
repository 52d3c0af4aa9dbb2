package dev.semel.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.store.Batch;
import dev.semel.store.EngineException;
import dev.semel.store.LogPosition;
import dev.semel.store.Position;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowsFileTest {
    @TempDir
    private Path folder;

    private final MemoryStore store = filled();

    private static MemoryStore filled() {
        MemoryStore store = new MemoryStore();
        Batch batch = new Batch();
        for (Table table : Table.values()) {
            for (int i = 0; i < 300; i++) {
                batch.put(table, new byte[] {(byte) (i >> 8), (byte) i}, new byte[i]);
            }
        }
        batch.position(new Position(3, 17, 99, new LogPosition(4, 18)));
        store.write(batch, false);
        return store;
    }

    @Test
    void everyRowAndThePositionComeBack() {
        store.checkpoint(folder.resolve("copy"));
        MemoryStore copy = MemoryStore.open(folder.resolve("copy"));
        assertThat(copy.position()).isEqualTo(store.position());
        assertThat(rows(copy)).isEqualTo(rows(store)).hasSize(300 * Table.values().length);
    }

    private static List<String> rows(MemoryStore store) {
        List<String> rows = new ArrayList<>();
        try (Snapshot snapshot = store.snapshot(99)) {
            for (Table table : Table.values()) {
                try (Scan scan = snapshot.scan(table, KeyRange.ALL, false)) {
                    while (scan.next()) {
                        rows.add(table + HexFormat.of().formatHex(scan.key()) + ":" + scan.value().length);
                    }
                }
            }
        }
        return rows;
    }

    @Test
    void damagedFilesAreRefused() throws Exception {
        store.checkpoint(folder);
        Path file = folder.resolve(RowsFile.NAME);
        byte[] whole = Files.readAllBytes(file);
        for (int at : new int[] {3, 20, whole.length / 2, whole.length - 1}) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 1;
            Files.write(file, damaged);
            assertThatThrownBy(() -> MemoryStore.open(folder)).isInstanceOf(EngineException.class);
        }
        Files.write(file, java.util.Arrays.copyOf(whole, whole.length / 2));
        assertThatThrownBy(() -> MemoryStore.open(folder))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining("damaged");
    }
}
