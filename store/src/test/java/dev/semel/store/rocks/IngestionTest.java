package dev.semel.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.store.Batch;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.IngestExternalFileOptions;

/** A large commit that the end of the process has cut short, at each of its steps. */
class IngestionTest {
    private static final byte[] OLD = {1};
    private static final byte[] NEW = {2};

    @TempDir
    private Path directory;

    private RocksStore open() {
        return RocksStore.open(directory, RocksOptions.small());
    }

    /** One document is there before; the commit removes it and adds another one with an index entry. */
    private static StagedFiles staged(RocksStore store) {
        Batch before = new Batch();
        before.put(Table.DOCUMENTS, OLD, OLD);
        store.write(before, true);
        Batch rows = new Batch();
        rows.delete(Table.DOCUMENTS, OLD);
        rows.put(Table.DOCUMENTS, NEW, NEW);
        rows.put(Table.INDEXES, NEW, NEW);
        return store.ingestion().stage(rows);
    }

    private static void announce(RocksStore store, StagedFiles files) throws Exception {
        Batch batch = new Batch();
        batch.put(Table.OPLOG, NEW, NEW);
        store.ingestion().announce(batch, files);
    }

    private void assertNothing() throws Exception {
        try (RocksStore store = open();
                Snapshot snapshot = store.snapshot(1)) {
            assertThat(snapshot.get(Table.DOCUMENTS, OLD)).isEqualTo(OLD);
            assertThat(snapshot.get(Table.DOCUMENTS, NEW)).isNull();
            assertThat(snapshot.get(Table.INDEXES, NEW)).isNull();
        }
        assertNoFiles();
    }

    private void assertEverything() throws Exception {
        try (RocksStore store = open();
                Snapshot snapshot = store.snapshot(1)) {
            assertThat(snapshot.get(Table.DOCUMENTS, OLD)).isNull();
            assertThat(snapshot.get(Table.DOCUMENTS, NEW)).isEqualTo(NEW);
            assertThat(snapshot.get(Table.INDEXES, NEW)).isEqualTo(NEW);
            assertThat(snapshot.get(Table.OPLOG, NEW)).isEqualTo(NEW);
        }
        assertNoFiles();
    }

    private void assertNoFiles() throws Exception {
        try (Stream<Path> left = Files.list(directory.resolve("staged"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void staysAwayIfItWasStagedOnly() throws Exception {
        try (RocksStore store = open()) {
            assertThat(staged(store).files()).containsOnlyKeys(Table.DOCUMENTS, Table.INDEXES);
        }
        assertNothing();
    }

    @Test
    void isCompletedIfItWasAnnounced() throws Exception {
        try (RocksStore store = open()) {
            announce(store, staged(store));
        }
        assertEverything();
        assertEverything();
    }

    @Test
    void isCompletedIfOneFileWasTakenIn() throws Exception {
        try (RocksStore store = open()) {
            StagedFiles files = staged(store);
            announce(store, files);
            try (IngestExternalFileOptions how = new IngestExternalFileOptions().setMoveFiles(true)) {
                for (Map.Entry<Table, Path> each : files.files().entrySet()) {
                    if (each.getKey() == Table.DOCUMENTS) {
                        store.engine()
                                .ingestExternalFile(
                                        store.family(Table.DOCUMENTS),
                                        java.util.List.of(each.getValue().toString()),
                                        how);
                        assertThat(each.getValue()).doesNotExist();
                    }
                }
            }
        }
        assertEverything();
    }

    /** What is written later counts, so the next start must not do it again. */
    @Test
    void isTakenInOnce() throws Exception {
        try (RocksStore store = open()) {
            announce(store, staged(store));
        }
        try (RocksStore store = open()) {
            Batch later = new Batch();
            later.put(Table.DOCUMENTS, NEW, OLD);
            store.write(later, true);
        }
        try (RocksStore store = open();
                Snapshot snapshot = store.snapshot(1)) {
            assertThat(snapshot.get(Table.DOCUMENTS, NEW)).isEqualTo(OLD);
        }
    }
}
