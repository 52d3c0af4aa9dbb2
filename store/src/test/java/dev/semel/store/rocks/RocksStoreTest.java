package dev.semel.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.store.Batch;
import dev.semel.store.DirectoryInUse;
import dev.semel.store.EngineException;
import dev.semel.store.Position;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

class RocksStoreTest {
    private static final byte[] KEY = {1, 2, 3};

    @TempDir
    private Path directory;

    private RocksStore open() {
        return RocksStore.open(directory, RocksOptions.small());
    }

    private static Batch batch(byte[] value, long clusterTime) {
        Batch batch = new Batch();
        batch.put(Table.DOCUMENTS, KEY, value);
        batch.position(new Position(1, clusterTime, clusterTime));
        return batch;
    }

    @Test
    void whatWasWrittenIsThereAfterReopening() {
        try (RocksStore store = open()) {
            assertThat(store.position().clusterTime()).isZero();
            store.write(batch(new byte[] {9}, 77), false);
        }
        try (RocksStore store = open();
                Snapshot snapshot = store.snapshot(store.position().clusterTime())) {
            assertThat(store.position().clusterTime()).isEqualTo(77);
            assertThat(snapshot.get(Table.DOCUMENTS, KEY)).containsExactly(9);
            assertThat(snapshot.get(Table.INDEXES, KEY)).isNull();
        }
    }

    @Test
    void aDirectoryThatIsOpenIsRefused() {
        try (RocksStore first = open()) {
            assertThatThrownBy(this::open)
                    .isInstanceOf(DirectoryInUse.class)
                    .hasMessageContaining(directory.toString());
            first.write(batch(new byte[] {1}, 1), true);
        }
        open().close();
    }

    @Test
    void anInterruptedThreadIsTheReasonWhereItIs() {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(this::open)
                    .isInstanceOf(EngineException.class)
                    .hasMessage("cannot write to the directory " + directory
                            + ": the thread that works on it was interrupted");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void filesOfAnotherFormatAreRefused() throws RocksDBException {
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB raw = RocksDB.open(options, directory.resolve("other").toString())) {
            raw.put(new byte[] {1}, new byte[] {2});
        }
        Path other = directory.resolve("other");
        assertThatThrownBy(() -> RocksStore.open(other, RocksOptions.small()))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining("was not written by Semel");
    }

    @Test
    void unknownTablesAreRefused() throws RocksDBException {
        Path other = directory.resolve("other");
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB raw = RocksDB.open(options, other.toString())) {
            raw.createColumnFamily(new org.rocksdb.ColumnFamilyDescriptor(new byte[] {'x'}))
                    .close();
        }
        assertThatThrownBy(() -> RocksStore.open(other, RocksOptions.small()))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining("[x]");
    }

    @Test
    void aCheckpointOpensAsAStoreOfItsOwn() {
        Path copy = directory.resolveSibling(directory.getFileName() + "-copy");
        try (RocksStore store = open()) {
            store.write(batch(new byte[] {1}, 5), false);
            store.checkpoint(copy);
            store.write(batch(new byte[] {2}, 6), false);
        }
        try (RocksStore store = RocksStore.open(copy, RocksOptions.small());
                Snapshot snapshot = store.snapshot(5)) {
            assertThat(store.position().clusterTime()).isEqualTo(5);
            assertThat(snapshot.get(Table.DOCUMENTS, KEY)).containsExactly(1);
        }
    }

    @Test
    void whatIsLeftOpenIsUnusableAfterClosingButHarmless() {
        RocksStore store = open();
        store.write(batch(new byte[] {1}, 5), false);
        Snapshot snapshot = store.snapshot(5);
        Scan scan = snapshot.scan(Table.DOCUMENTS, KeyRange.ALL, false);
        assertThat(scan.next()).isTrue();
        store.close();
        assertThatThrownBy(() -> snapshot.get(Table.DOCUMENTS, KEY)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(scan::next).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(scan::value).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> store.snapshot(5)).isInstanceOf(IllegalStateException.class);
        scan.close();
        snapshot.close();
        store.close();
    }

    @Test
    void aRemovedRangeWithoutEndSparesWhatTheBatchPutsLater() {
        try (RocksStore store = open()) {
            store.write(batch(new byte[] {1}, 1), false);
            Batch batch = new Batch();
            batch.put(Table.DOCUMENTS, new byte[] {9, 9}, new byte[] {2});
            batch.deleteRange(Table.DOCUMENTS, KeyRange.ALL);
            batch.put(Table.DOCUMENTS, new byte[] {4}, new byte[] {3});
            batch.position(new Position(1, 2, 2));
            store.write(batch, false);
            try (Snapshot snapshot = store.snapshot(2);
                    Scan scan = snapshot.scan(Table.DOCUMENTS, KeyRange.ALL, false)) {
                assertThat(scan.next()).isTrue();
                assertThat(scan.key()).containsExactly(4);
                assertThat(scan.next()).isFalse();
            }
        }
    }

    @Test
    void aLargeBatchAppliesInOrderAsASmallOneDoes() {
        try (RocksStore store = open()) {
            store.write(batch(new byte[] {1}, 1), false);
            Batch batch = new Batch();
            batch.put(Table.DOCUMENTS, new byte[] {9, 9}, new byte[3 << 20]);
            batch.deleteRange(Table.DOCUMENTS, KeyRange.ALL);
            batch.put(Table.DOCUMENTS, new byte[] {4}, new byte[3 << 20]);
            batch.put(Table.DOCUMENTS, new byte[] {5}, new byte[] {3});
            batch.delete(Table.DOCUMENTS, new byte[] {5});
            batch.position(new Position(1, 2, 2));
            store.write(batch, false);
            assertThat(store.position().clusterTime()).isEqualTo(2);
            try (Snapshot snapshot = store.snapshot(2);
                    Scan scan = snapshot.scan(Table.DOCUMENTS, KeyRange.ALL, false)) {
                assertThat(scan.next()).isTrue();
                assertThat(scan.key()).containsExactly(4);
                assertThat(scan.value()).hasSize(3 << 20);
                assertThat(scan.next()).isFalse();
            }
        }
        try (RocksStore again = open()) {
            assertThat(again.position().clusterTime()).isEqualTo(2);
        }
    }
}
