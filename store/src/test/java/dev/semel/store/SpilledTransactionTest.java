package dev.semel.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.golden.Seeds;
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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Transactions that write more than they may have in the heap. */
@Timeout(120)
class SpilledTransactionTest {
    private static final LockPolicy POLICY = LockPolicy.of(LockPolicy.Kind.STATEMENT, Duration.ofSeconds(4));
    private static final long BYTES_MAX = 240_000;
    private static final int ROWS = 4_000;

    @TempDir
    private Path directory;

    /** A database, and the temporary files of its transactions. */
    private record Database(Transactions transactions, SpillFiles files, MemoryAccount memory)
            implements AutoCloseable {
        static Database open(Path folder) {
            return open(folder, SpillLimits.unlimited());
        }

        static Database open(Path folder, SpillLimits limits) {
            SpillFiles files = SpillFiles.open(folder.resolve("_tmp"), limits);
            MemoryAccount memory = new MemoryAccount("memoryAccountBytesMax", Long.MAX_VALUE);
            Transactions transactions = Transactions.open(
                    RocksStore.open(folder, RocksOptions.small()),
                    TransactionOptions.forHeap(1 << 30).withTransactionBytesMax(BYTES_MAX),
                    memory,
                    InstantSource.system(),
                    System::nanoTime,
                    failure -> {
                        throw new AssertionError(failure);
                    },
                    null,
                    CommitLog.local(),
                    files);
            return new Database(transactions, files, memory);
        }

        Transaction begin(Isolation isolation) {
            return transactions.begin(isolation, POLICY, Interruption.unlimited());
        }

        boolean hasSpilled() {
            return files.statistics().bytes() > 0;
        }

        void assertNothingIsLeft() {
            assertThat(files.statistics().bytes()).isZero();
            assertThat(files.statistics().files()).isZero();
            assertThat(transactions.statistics().writtenBytes()).isZero();
        }

        @Override
        public void close() {
            transactions.close();
            files.close();
        }
    }

    private static byte[] key(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    private static void putAll(Transaction transaction, int version) {
        for (int i = 0; i < ROWS; i++) {
            transaction.put(Table.DOCUMENTS, key(i), key(version));
        }
        transaction.put(Table.RECORDS, key(0), key(version));
    }

    private static Map<Long, Long> all(Snapshot snapshot) {
        Map<Long, Long> found = new TreeMap<>();
        try (Scan scan = snapshot.scan(Table.DOCUMENTS, KeyRange.ALL, false)) {
            while (scan.next()) {
                found.put(
                        ByteBuffer.wrap(scan.key()).getLong(),
                        ByteBuffer.wrap(scan.value()).getLong());
            }
        }
        return found;
    }

    private static Map<Long, Long> expected(long version) {
        Map<Long, Long> all = new TreeMap<>();
        for (long i = 0; i < ROWS; i++) {
            all.put(i, version);
        }
        return all;
    }

    @Test
    void commitsAsAWholeAndIsThereAfterARestart() {
        try (Database database = Database.open(directory)) {
            try (Transaction transaction = database.begin(Isolation.STATEMENT)) {
                putAll(transaction, 1);
                assertThat(database.hasSpilled()).isTrue();
                assertThat(database.transactions.snapshot()).satisfies(before -> {
                    assertThat(all(before)).isEmpty();
                    before.close();
                });
                transaction.commit().awaitDurable();
            }
            database.assertNothingIsLeft();
            try (Transaction transaction = database.begin(Isolation.STATEMENT)) {
                putAll(transaction, 2);
                transaction.delete(Table.DOCUMENTS, key(7));
                transaction.commit().awaitDurable();
            }
        }
        Map<Long, Long> expected = expected(2);
        expected.remove(7L);
        try (Database database = Database.open(directory);
                Snapshot snapshot = database.transactions.snapshot()) {
            assertThat(all(snapshot)).isEqualTo(expected);
            assertThat(snapshot.get(Table.RECORDS, key(0))).isEqualTo(key(2));
        }
    }

    @Test
    void rolledBackItLeavesNothing() {
        try (Database database = Database.open(directory)) {
            try (Transaction transaction = database.begin(Isolation.STATEMENT)) {
                putAll(transaction, 1);
            }
            database.assertNothingIsLeft();
            try (Snapshot snapshot = database.transactions.snapshot()) {
                assertThat(all(snapshot)).isEmpty();
            }
        }
    }

    @Test
    void othersWithOlderSnapshotsNoticeWhatHasChanged() {
        try (Database database = Database.open(directory)) {
            try (Transaction first = database.begin(Isolation.STATEMENT)) {
                first.put(Table.DOCUMENTS, key(ROWS), key(1));
                first.commit().awaitApplied();
            }
            try (Transaction before = database.begin(Isolation.SNAPSHOT);
                    Transaction large = database.begin(Isolation.STATEMENT)) {
                large.mark(Table.INDEXES, key(7));
                large.put(Table.INDEXES, KeyRange.successor(key(7)), new byte[0]);
                putAll(large, 1);
                large.commit().awaitApplied();
                assertThat(before.changedSinceSnapshot(Table.DOCUMENTS, key(5))).isTrue();
                assertThat(before.changedSinceSnapshot(Table.INDEXES, key(7))).isTrue();
                assertThat(before.changedSinceSnapshot(Table.DOCUMENTS, key(ROWS)))
                        .isFalse();
            }
        }
    }

    @Test
    void uncommittedReadsShowIt() {
        try (Database database = Database.open(directory);
                Transaction reader = database.begin(Isolation.READ_UNCOMMITTED)) {
            Snapshot view;
            try (Transaction large = database.begin(Isolation.STATEMENT)) {
                putAll(large, 1);
                large.publish();
                view = reader.view();
            }
            // What was rolled back meanwhile stays readable until the view is closed.
            assertThat(all(view)).isEqualTo(expected(1));
            assertThat(database.hasSpilled()).isTrue();
            view.close();
            database.assertNothingIsLeft();
            try (Snapshot after = reader.view()) {
                assertThat(all(after)).isEmpty();
            }
        }
    }

    @Test
    void withoutRoomOnTheDiskItIsRefusedAndTheRestGoesOn() {
        SpillLimits limits = new SpillLimits(() -> 50_000, "temporaryFileBytesMax", () -> 0);
        try (Database database = Database.open(directory, limits)) {
            try (Transaction transaction = database.begin(Isolation.SNAPSHOT)) {
                transaction.put(Table.DOCUMENTS, key(ROWS), key(1));
                Savepoint before = transaction.savepoint();
                assertThatThrownBy(() -> putAll(transaction, 1))
                        .isInstanceOfSatisfying(
                                CommandException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.OutOfDiskSpace))
                        .hasMessageContaining("temporaryFileBytesMax");
                transaction.rollbackTo(before);
                transaction.commit().awaitDurable();
            }
            database.assertNothingIsLeft();
            try (Snapshot snapshot = database.transactions.snapshot()) {
                assertThat(all(snapshot)).isEqualTo(Map.of((long) ROWS, 1L));
            }
        }
    }

    /** Reads of own writes in both directions, savepoints, views that stay as they are, ranges that are removed. */
    @Test
    void behavesAsASortedMapHoweverOftenItSpills() {
        Seeds.check(4, random -> {
            Path own = newFolder();
            try (Database database = Database.open(own)) {
                NavigableMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
                for (int round = 0; round < 3; round++) {
                    NavigableMap<byte[], byte[]> changed = new TreeMap<>(model);
                    try (Transaction transaction = database.begin(Isolation.SNAPSHOT)) {
                        work(transaction, changed, random);
                        assertThat(database.hasSpilled()).isTrue();
                        if (random.nextInt(4) > 0) {
                            transaction.commit().awaitApplied();
                            model = changed;
                        }
                    }
                    try (Snapshot snapshot = database.transactions.snapshot()) {
                        assertEqual(snapshot, model, random);
                    }
                }
                database.assertNothingIsLeft();
            }
        });
    }

    private Path newFolder() {
        try {
            return Files.createTempDirectory(directory, "run");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record View(Snapshot snapshot, NavigableMap<byte[], byte[]> model) {}

    private record Saved(Savepoint savepoint, NavigableMap<byte[], byte[]> model) {}

    private static void work(Transaction transaction, NavigableMap<byte[], byte[]> model, RandomGenerator random) {
        List<View> views = new ArrayList<>();
        List<Saved> saved = new ArrayList<>();
        for (int i = 0; i < 6_000; i++) {
            byte[] key = key(random.nextInt(3_000));
            int what = random.nextInt(1_000);
            if (what < 700) {
                byte[] value = new byte[random.nextInt(40)];
                random.nextBytes(value);
                transaction.put(Table.DOCUMENTS, key, value);
                model.put(key, value);
            } else if (what < 900) {
                transaction.delete(Table.DOCUMENTS, key);
                model.remove(key);
            } else if (what < 990) {
                assertThat(transaction.get(Table.DOCUMENTS, key)).isEqualTo(model.get(key));
            } else if (what < 993 && views.isEmpty()) {
                views.add(new View(transaction.view(), new TreeMap<>(model)));
            } else if (what < 996) {
                saved.add(new Saved(transaction.savepoint(), new TreeMap<>(model)));
            } else if (what < 999 && !saved.isEmpty()) {
                Saved back = saved.remove(random.nextInt(saved.size()));
                transaction.rollbackTo(back.savepoint);
                model.clear();
                model.putAll(back.model);
                saved.clear();
            } else {
                try (Snapshot now = transaction.view()) {
                    assertEqual(now, model, random);
                }
            }
        }
        for (View each : views) {
            assertEqual(each.snapshot, each.model, random);
            each.snapshot.close();
        }
        try (Snapshot now = transaction.view()) {
            assertEqual(now, model, random);
        }
    }

    private static void assertEqual(Snapshot snapshot, NavigableMap<byte[], byte[]> model, RandomGenerator random) {
        boolean reverse = random.nextBoolean();
        KeyRange range = random.nextBoolean() ? KeyRange.ALL : new KeyRange(key(random.nextInt(3_000)), null);
        NavigableMap<byte[], byte[]> within = model.tailMap(range.low(), true);
        List<byte[]> keys = new ArrayList<>(reverse ? within.descendingMap().keySet() : within.keySet());
        try (Scan scan = snapshot.scan(Table.DOCUMENTS, range, reverse)) {
            for (byte[] each : keys) {
                assertThat(scan.next()).isTrue();
                assertThat(scan.key()).isEqualTo(each);
                assertThat(scan.value()).isEqualTo(Objects.requireNonNull(model.get(each)));
            }
            assertThat(scan.next()).isFalse();
        }
        try (Scan scan = snapshot.scan(Table.DOCUMENTS, range, reverse)) {
            assertSkips(scan, keys, model, reverse, random);
        }
    }

    /** Skips now and then, also before the first entry, and to keys that lie behind. */
    private static void assertSkips(
            Scan scan, List<byte[]> keys, NavigableMap<byte[], byte[]> model, boolean reverse, RandomGenerator random) {
        int ahead = 0;
        while (true) {
            if (random.nextInt(3) == 0) {
                int from = ahead == keys.size()
                        ? 0
                        : (int) ByteBuffer.wrap(keys.get(ahead)).getLong();
                byte[] target = key(Math.max(0, from + random.nextInt(-5, 20) * (reverse ? -1 : 1)));
                scan.seek(target);
                while (ahead < keys.size() && isBehind(keys.get(ahead), target, reverse)) {
                    ahead++;
                }
            }
            if (ahead == keys.size()) {
                assertThat(scan.next()).isFalse();
                return;
            }
            byte[] expected = keys.get(ahead);
            assertThat(scan.next()).isTrue();
            assertThat(scan.key()).isEqualTo(expected);
            assertThat(scan.value()).isEqualTo(Objects.requireNonNull(model.get(expected)));
            ahead++;
        }
    }

    private static boolean isBehind(byte[] key, byte[] target, boolean reverse) {
        int order = Arrays.compareUnsigned(key, target);
        return reverse ? order > 0 : order < 0;
    }

    /** Log entries come with their times although others commit while they are written. */
    @Test
    void entriesOfTheLogHaveTheTimesOfTheCommit() {
        try (Database database = Database.open(directory)) {
            Map<Long, Long> times = new HashMap<>();
            try (Transaction transaction = database.begin(Isolation.STATEMENT)) {
                putAll(transaction, 1);
                transaction.append((draft, all) -> {
                    try (Transaction other = database.begin(Isolation.STATEMENT)) {
                        other.put(Table.CATALOG, key(1), key(1));
                        Commit before = other.commit();
                        before.awaitApplied();
                        times.put(0L, before.clusterTime());
                    }
                    for (int i = 0; i < 3; i++) {
                        draft.times(i + 1);
                        byte[] key = key(0);
                        byte[] value = key(0);
                        draft.timeAt(key, 0, i);
                        draft.timeAt(value, 0, i);
                        draft.put(Table.OPLOG, key, value);
                    }
                });
                Commit commit = transaction.commit();
                commit.awaitApplied();
                try (Snapshot snapshot = database.transactions.snapshot();
                        Scan scan = snapshot.scan(Table.OPLOG, KeyRange.ALL, false)) {
                    for (long i = 2; i >= 0; i--) {
                        assertThat(scan.next()).isTrue();
                        assertThat(scan.key()).isEqualTo(key(commit.clusterTime() - i));
                        assertThat(scan.value()).isEqualTo(key(commit.clusterTime() - i));
                    }
                    assertThat(scan.next()).isFalse();
                }
                assertThat(times.get(0L)).isLessThan(commit.clusterTime() - 2);
            }
            try (Transaction next = database.begin(Isolation.STATEMENT)) {
                next.put(Table.CATALOG, key(1), key(2));
                Commit after = next.commit();
                after.awaitApplied();
                assertThat(after.clusterTime()).isGreaterThan(database.transactions.visibleTime() - 1);
            }
        }
    }
}
