package dev.semel.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.store.rocks.RocksOptions;
import dev.semel.store.rocks.RocksStore;
import dev.semel.store.spill.SpillFiles;
import dev.semel.store.spill.SpillLimits;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.memory.MemoryAccount;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Large commits of a node that other nodes follow: the test is what lies between them. */
@Timeout(60)
class ChunksTest {
    private static final LockPolicy POLICY = LockPolicy.of(LockPolicy.Kind.STATEMENT, Duration.ofSeconds(4));
    private static final int ROWS = 6_000;

    @TempDir
    private Path folder;

    /** The records of the one that writes, in order, as bytes. */
    private final List<byte[]> records = new ArrayList<>();

    private SpillFiles files;
    private Transactions writer;
    private Transactions follower;
    private @Nullable Applier follows;

    /** After so many records the writer is not primary any more. */
    private int recordsMax = Integer.MAX_VALUE;

    private long term = 1;

    @BeforeEach
    void open() {
        files = SpillFiles.open(folder.resolve("_tmp"), SpillLimits.unlimited());
        writer = open("writer", (store, sequencer, applier, fatal) -> {
            applier.listen(new CommitListener() {
                @Override
                public void applied(CommitRecord record) {
                    records.add(RecordCodec.encode(record));
                }
            });
            return new Shared(LocalCommitLog.start(store, sequencer, applier, fatal));
        });
        follower = open("follower", (store, sequencer, applier, fatal) -> {
            follows = applier;
            return LocalCommitLog.start(store, sequencer, applier, fatal);
        });
    }

    private Transactions open(String name, CommitLog.Opener logs) {
        return Transactions.open(
                RocksStore.open(folder.resolve(name), RocksOptions.small()),
                TransactionOptions.forHeap(1 << 30).withTransactionBytesMax(240_000),
                MemoryAccount.unlimited(),
                InstantSource.system(),
                System::nanoTime,
                failure -> {
                    throw new AssertionError(failure);
                },
                null,
                logs,
                files);
    }

    @AfterEach
    void close() {
        writer.close();
        follower.close();
        files.close();
    }

    /** Of a primary, as long as it is one. */
    private final class Shared implements CommitLog {
        private final CommitLog log;

        Shared(CommitLog log) {
            this.log = log;
        }

        @Override
        public boolean isShared() {
            return true;
        }

        @Override
        public long term() {
            return term;
        }

        @Override
        public boolean applyLeft() {
            return log.applyLeft();
        }

        @Override
        public void applyAll() {
            log.applyAll();
        }

        @Override
        public Commit append(CommitDraft draft, Originator originator) {
            if (records.size() >= recordsMax || !draft.fits(term)) {
                throw new CommandException(ErrorCode.NotWritablePrimary, "not primary");
            }
            Commit commit = log.append(draft, originator);
            commit.awaitApplied();
            return commit;
        }

        @Override
        public long durableTime() {
            return log.durableTime();
        }

        @Override
        public void awaitDurable(long clusterTime, Interruption interruption) {
            log.awaitDurable(clusterTime, interruption);
        }

        @Override
        public boolean awaitDurableAfter(long clusterTime, Interruption interruption, LongSupplier remainingNanos) {
            return log.awaitDurableAfter(clusterTime, interruption, remainingNanos);
        }

        @Override
        public void whenDurable(long clusterTime, Runnable wake) {
            log.whenDurable(clusterTime, wake);
        }

        @Override
        public void durabilityWanted(long clusterTime) {
            log.durabilityWanted(clusterTime);
        }

        @Override
        public long groups() {
            return log.groups();
        }

        @Override
        public long syncs() {
            return log.syncs();
        }

        @Override
        public void close() {
            log.close();
        }
    }

    private static byte[] key(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    private static byte[] value(int version) {
        return new byte[200 + version];
    }

    private Commit putAll(int version) {
        try (Transaction transaction = writer.begin(Isolation.STATEMENT, POLICY, Interruption.unlimited())) {
            for (int i = 0; i < ROWS; i++) {
                if (i % 7 == version) {
                    transaction.delete(Table.DOCUMENTS, key(i));
                } else {
                    transaction.put(Table.DOCUMENTS, key(i), value(version));
                }
                transaction.put(Table.INDEXES, key((long) ROWS * version + i), new byte[0]);
            }
            transaction.put(Table.RECORDS, key(version), value(version));
            return transaction.commit();
        }
    }

    private void follow() {
        for (byte[] each : records) {
            CommitRecord record = RecordCodec.decode(each);
            if (applier().isNext(record)) {
                applier().apply(List.of(record), LogPosition.NONE, () -> {});
            }
        }
    }

    private Applier applier() {
        return Objects.requireNonNull(follows);
    }

    private static List<String> rows(Transactions in, Table table) {
        List<String> rows = new ArrayList<>();
        try (Snapshot snapshot = in.snapshot();
                Scan scan = snapshot.scan(table, KeyRange.ALL, false)) {
            while (scan.next()) {
                rows.add(HexFormat.of().formatHex(scan.key()) + " " + scan.value().length);
            }
        }
        return rows;
    }

    private void assertSame() {
        for (Table table : Table.values()) {
            assertThat(rows(follower, table)).as(table.name()).isEqualTo(rows(writer, table));
        }
    }

    @Test
    void largeCommitsReachOthersInSmallOnes() {
        putAll(0).awaitApplied();
        assertThat(records.size()).isGreaterThan(3);
        assertThat(records).allSatisfy(each -> assertThat(each.length).isLessThan(300_000));
        putAll(1).awaitApplied();
        follow();
        assertSame();
        assertThat(rows(follower, Table.DOCUMENTS)).hasSize(ROWS - Math.ceilDiv(ROWS - 1, 7));
        assertThat(rows(follower, Table.INDEXES)).hasSize(2 * ROWS);
        assertThat(rows(follower, Table.CHUNKS)).isEmpty();
        assertThat(folder.resolve("follower").resolve("staged")).isEmptyDirectory();
    }

    @Test
    void nobodySeesItBeforeItsLastCommit() {
        putAll(0).awaitApplied();
        byte[] last = records.removeLast();
        follow();
        assertThat(rows(follower, Table.CHUNKS)).hasSize(records.size());
        assertThat(rows(follower, Table.DOCUMENTS)).isEmpty();
        assertThat(rows(follower, Table.RECORDS)).isEmpty();
        records.add(last);
        follow();
        assertSame();
    }

    /** The next primary removes what is there of it. */
    @Test
    void oneThatIsCutShortLeavesNothing() {
        recordsMax = 2;
        assertThatThrownBy(() -> putAll(0)).isInstanceOf(CommandException.class).hasMessage("not primary");
        follow();
        assertThat(rows(follower, Table.CHUNKS)).hasSize(2);
        assertSame();
        recordsMax = Integer.MAX_VALUE;
        term = 2;
        writer.removeChunks(2, Interruption.unlimited());
        assertThat(rows(writer, Table.CHUNKS)).isEmpty();
        putAll(1).awaitApplied();
        writer.removeChunks(2, Interruption.unlimited());
        follow();
        assertSame();
        assertThat(rows(follower, Table.INDEXES)).hasSize(ROWS);
    }

    /** Its rows were committed in a term that is over, and may be gone. */
    @Test
    void commitOfAnotherTermThanItsRowsIsRefused() {
        Chunks ofTermOne = new Chunks(1, 1, 1);
        CommitDraft draft = new CommitDraft(null);
        draft.staged(new CommitDraft.StagedRows(null, () -> {}, ofTermOne));
        assertThat(draft.fits(1)).isTrue();
        assertThat(draft.fits(2)).isFalse();
    }

    @Test
    void aNodeThatLacksSomeOfItStops() {
        putAll(0).awaitApplied();
        CommitRecord last = RecordCodec.decode(records.removeLast());
        follow();
        Batch lost = new Batch();
        lost.delete(Table.CHUNKS, Objects.requireNonNull(last.chunks()).key(1));
        follower.store().write(lost, false);
        assertThatThrownBy(() -> applier().apply(List.of(last), LogPosition.NONE, () -> {}))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining("the one with the number 1 is missing");
    }
}
