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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

class RocksStoreTest {
    private static final byte[] KEY = {1, 2, 3};
    private static final byte[] FORMAT = "format".getBytes(StandardCharsets.US_ASCII);

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
    void whatThisVersionHasWrittenEarlierOnesRefuse() throws RocksDBException {
        open().close();
        for (int earlier : new int[] {1, 2}) {
            putFormat(earlier);
            open().close();
            assertThat(putFormat(4)).isEqualTo(3);
            assertThatThrownBy(this::open)
                    .isInstanceOf(EngineException.class)
                    .hasMessageEndingWith("has the format 4, this version of Semel reads 1 to 3");
        }
    }

    /** What it has in the engine's log alone is kept. */
    @Test
    void directoryOfAnEarlierVersionIsReadWithItsLog() throws RocksDBException {
        open().close();
        inEngine((raw, tables) -> {
            raw.put(FORMAT, ByteBuffer.allocate(4).putInt(2).array());
            raw.put(tables.get(1 + Table.DOCUMENTS.index()), KEY, new byte[] {5});
            return 0;
        });
        for (long time = 1; time <= 3; time++) {
            try (RocksStore store = open();
                    Snapshot snapshot = store.snapshot(time)) {
                assertThat(snapshot.get(Table.DOCUMENTS, KEY))
                        .isEqualTo(time == 1 ? new byte[] {5} : new byte[] {8, (byte) (time - 1)});
                store.write(batch(new byte[] {8, (byte) time}, time), false);
            }
        }
    }

    private interface Work {
        int in(RocksDB raw, List<ColumnFamilyHandle> tables) throws RocksDBException;
    }

    /** The format that was there. */
    private int putFormat(int format) throws RocksDBException {
        return inEngine((raw, tables) -> {
            int before = ByteBuffer.wrap(raw.get(FORMAT)).getInt();
            raw.put(FORMAT, ByteBuffer.allocate(4).putInt(format).array());
            return before;
        });
    }

    /** As earlier versions use it. */
    private int inEngine(Work work) throws RocksDBException {
        List<ColumnFamilyDescriptor> tables = new ArrayList<>();
        try (Options options = new Options();
                DBOptions plain = new DBOptions();
                ColumnFamilyOptions table = new ColumnFamilyOptions()) {
            for (byte[] name : RocksDB.listColumnFamilies(options, directory.toString())) {
                tables.add(new ColumnFamilyDescriptor(name, table));
            }
            List<ColumnFamilyHandle> handles = new ArrayList<>();
            try (RocksDB raw = RocksDB.open(plain, directory.toString(), tables, handles)) {
                int result = work.in(raw, handles);
                handles.forEach(ColumnFamilyHandle::close);
                return result;
            }
        }
    }

    @Test
    void unknownTablesAreRefused() throws RocksDBException {
        Path other = directory.resolve("other");
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB raw = RocksDB.open(options, other.toString())) {
            raw.createColumnFamily(new ColumnFamilyDescriptor(new byte[] {'x'})).close();
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
