package dev.semel.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.store.Batch;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.RocksDBException;

/** A large commit that the end of the process has cut short, at each of its steps. */
class IngestionTest {
    private static final byte[] OLD = {1};
    private static final byte[] NEW = {2};
    private static final byte[] LATER = {3};

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

    /** On a member that follows another one, the failure ends the process, and closes what was staged before. */
    @Test
    void isCompletedAfterAFailure() throws Exception {
        try (RocksStore store = open()) {
            StagedFiles files = staged(store);
            Path unreadable = files.files().get(Table.INDEXES);
            byte[] content = Files.readAllBytes(unreadable);
            Files.write(unreadable, new byte[content.length]);
            Batch batch = new Batch();
            batch.put(Table.OPLOG, NEW, NEW);
            assertThatThrownBy(() -> store.ingestion().write(batch, files)).isInstanceOf(RocksDBException.class);
            files.close();
            assertThat(unreadable).exists();
            Files.write(unreadable, content);
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

    /** A power loss after a start that has completed it: what the start appended to the journal was never synced. */
    @Test
    void namesNoFilesOfTheNextLife(@TempDir Path crashed) throws Exception {
        try (RocksStore store = open()) {
            announce(store, staged(store));
        }
        Map<Path, byte[]> journal = journal(directory);
        try (RocksStore store = open()) {
            Batch rows = new Batch();
            rows.put(Table.DOCUMENTS, LATER, LATER);
            store.ingestion().stage(rows);
            copy(directory, crashed);
        }
        for (Path each : Journal.paths(crashed)) {
            Files.delete(each);
        }
        for (Map.Entry<Path, byte[]> each : journal.entrySet()) {
            Files.write(crashed.resolve(each.getKey()), each.getValue());
        }
        try (RocksStore store = RocksStore.open(crashed, RocksOptions.small());
                Snapshot snapshot = store.snapshot(1)) {
            assertThat(snapshot.get(Table.DOCUMENTS, NEW)).isEqualTo(NEW);
            assertThat(snapshot.get(Table.INDEXES, NEW)).isEqualTo(NEW);
            assertThat(snapshot.get(Table.DOCUMENTS, LATER)).isNull();
        }
    }

    private static Map<Path, byte[]> journal(Path directory) throws IOException {
        Map<Path, byte[]> contents = new HashMap<>();
        for (Path each : Journal.paths(directory)) {
            contents.put(each.getFileName(), Files.readAllBytes(each));
        }
        return contents;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                Path copy = to.resolve(from.relativize(each));
                Files.createDirectories(copy.getParent());
                Files.copy(each, copy);
            }
        }
    }
}
