package dev.semel.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.semel.golden.Seeds;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.store.rocks.RocksOptions;
import dev.semel.store.rocks.RocksStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * After a power loss everything acknowledged must be there. Killing the process proves nothing about that, because the
 * operating system keeps what was written; so what came into the journal's files after the last sync is there in part
 * only, as on a disk, with garbage now and then, and they are opened again.
 */
class CrashTest {
    private static final LockPolicy POLICY = LockPolicy.of(LockPolicy.Kind.STATEMENT, Duration.ofSeconds(4));

    /** The journal's files are short, so that they are soon written again. */
    private static final RocksOptions OPTIONS = options();

    private static final int SECTOR_BYTES = 512;

    /** Of a file of the journal. */
    private static final int HEADER_BYTES = 28;

    @TempDir
    private Path directory;

    private static RocksOptions options() {
        RocksOptions small = RocksOptions.small();
        return new RocksOptions(
                small.cacheBytes(),
                small.documentCacheBytes(),
                small.writeBufferBytes(),
                1 << 20,
                small.backgroundJobs(),
                small.openFilesMax(),
                small.files());
    }

    /** Passes everything on, and keeps what was in the journal's files when a sync that has succeeded began. */
    private record SyncRecorder(RocksStore store, Path files, Map<Path, byte[]> synced) implements Store {
        @Override
        public void syncLog() {
            Map<Path, byte[]> contents = contents();
            store.syncLog();
            note(contents);
        }

        private Map<Path, byte[]> contents() {
            Map<Path, byte[]> contents = new HashMap<>();
            journal(files).forEach(each -> contents.put(each.getFileName(), content(each)));
            return contents;
        }

        private void note(Map<Path, byte[]> contents) {
            synced.putAll(contents);
        }

        @Override
        public Snapshot snapshot(long clusterTime) {
            return store.snapshot(clusterTime);
        }

        @Override
        public long write(Batch batch, boolean sync) {
            return store.write(batch, sync);
        }

        @Override
        public Staged stage(RowSource rows) {
            return store.stage(rows);
        }

        @Override
        public Store scratch(Path folder) {
            return store.scratch(folder);
        }

        @Override
        public long heapBytes() {
            return store.heapBytes();
        }

        @Override
        public boolean isPersistent() {
            return true;
        }

        @Override
        public Position position() {
            return store.position();
        }

        @Override
        public long approximateBytes(Table table, KeyRange range) {
            return store.approximateBytes(table, range);
        }

        @Override
        public long approximateCount(Table table, KeyRange range) {
            return store.approximateCount(table, range);
        }

        @Override
        public long reclaimableBytes(Table table, KeyRange range) {
            return store.reclaimableBytes(table, range);
        }

        @Override
        public long compact(Table table, KeyRange range) {
            return store.compact(table, range);
        }

        @Override
        public void checkpoint(Path copy) {
            store.checkpoint(copy);
        }

        @Override
        public Path directory() {
            return store.directory();
        }

        @Override
        public SortedMap<String, Long> figures() {
            return store.figures();
        }

        @Override
        public void close() {
            store.close();
        }
    }

    @Test
    void whatWasAcknowledgedSurvivesAPowerLoss() {
        Seeds.check(4, random -> {
            Path files = Files.createTempDirectory(directory, "store");
            List<byte[]> rows = new ArrayList<>();
            for (int life = 0; life < 3; life++) {
                Path crashed = Files.createTempDirectory(directory, "crashed");
                RocksStore rocks = RocksStore.open(files, OPTIONS);
                assertThat(verify(rocks, rows)).isEqualTo(rows.size());
                SyncRecorder store = new SyncRecorder(rocks, files, new ConcurrentHashMap<>());
                // A start makes durable what it has read.
                store.note(store.contents());
                int acknowledged;
                try (Transactions transactions = open(store)) {
                    acknowledged = write(transactions, random, rows, random.nextInt(200));
                    crash(store, files, crashed, random);
                }
                files = crashed;
                try (RocksStore reopened = RocksStore.open(files, OPTIONS)) {
                    int found = verify(reopened, rows);
                    assertThat(found).isGreaterThanOrEqualTo(acknowledged);
                    rows.subList(found, rows.size()).clear();
                }
            }
        });
    }

    /** RocksDB would read it for ever. */
    @ParameterizedTest
    @ValueSource(ints = {5, 6, 7, 8, 11, 131})
    void endThatLooksLikeAReusedLogIsCutOff(int type) throws Exception {
        Path files = Files.createTempDirectory(directory, "store");
        Path crashed = Files.createTempDirectory(directory, "crashed");
        Random random = new Random(type);
        List<byte[]> rows = new ArrayList<>();
        try (Transactions transactions = open(RocksStore.open(files, OPTIONS))) {
            write(transactions, random, rows, 20);
            copy(files, crashed);
        }
        for (Path log : withSuffix(crashed, ".log")) {
            Files.write(log, garbage(random, type), StandardOpenOption.APPEND);
        }
        Files.write(manifest(crashed), garbage(random, type), StandardOpenOption.APPEND);
        try (RocksStore reopened =
                assertTimeoutPreemptively(Duration.ofSeconds(60), () -> RocksStore.open(crashed, OPTIONS))) {
            assertThat(verify(reopened, rows)).isEqualTo(20);
        }
    }

    private static byte[] garbage(Random random, int type) {
        byte[] garbage = new byte[3_000];
        random.nextBytes(garbage);
        garbage[6] = (byte) type;
        return garbage;
    }

    private static Path manifest(Path files) throws IOException {
        return files.resolve(Files.readString(files.resolve("CURRENT")).strip());
    }

    /** Files that it lists behind the damage would be lost without a word. */
    @Test
    void damageInTheMiddleOfTheListOfFilesIsNotCutOff() throws Exception {
        Path files = Files.createTempDirectory(directory, "store");
        Path crashed = Files.createTempDirectory(directory, "crashed");
        try (Transactions transactions = open(RocksStore.open(files, OPTIONS))) {
            write(transactions, new Random(1), new ArrayList<>(), 10);
            copy(files, crashed);
        }
        Path manifest = manifest(crashed);
        byte[] whole = Files.readAllBytes(manifest);
        byte[] damaged = Arrays.copyOf(whole, (32 << 10) + whole.length);
        Arrays.fill(damaged, whole.length, 32 << 10, (byte) 1);
        damaged[whole.length + 6] = 8;
        System.arraycopy(whole, 0, damaged, 32 << 10, whole.length);
        Files.write(manifest, damaged);
        assertThatThrownBy(() -> RocksStore.open(crashed, OPTIONS))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining("is damaged at byte " + whole.length);
        assertThat(Files.readAllBytes(manifest)).isEqualTo(damaged);
    }

    private static Transactions open(Store store) {
        return Transactions.open(
                store, TransactionOptions.forHeap(1 << 30), InstantSource.system(), System::nanoTime, cause -> {
                    throw new AssertionError(cause);
                });
    }

    /** Commits so many more rows, in order; answers how many are there for certain. */
    private static int write(Transactions transactions, Random random, List<byte[]> rows, int count) {
        int acknowledged = rows.size();
        for (int i = 0; i < count; i++) {
            Transaction transaction = transactions.begin(Isolation.STATEMENT, POLICY, Interruption.unlimited());
            byte[] value = value(random);
            byte[] key = key(rows.size());
            transaction.put(Table.DOCUMENTS, key, value);
            transaction.put(Table.INDEXES, key, key(value.length));
            rows.add(value);
            Commit commit = transaction.commit();
            if (random.nextInt(3) == 0) {
                commit.awaitDurable();
                acknowledged = rows.size();
            } else if (random.nextBoolean()) {
                commit.awaitApplied();
            }
        }
        return acknowledged;
    }

    /** Often as long as another, so that records of a lost use of a file lie where those of the next one begin. */
    private static byte[] value(Random random) {
        byte[] value = new byte[random.nextInt(4) == 0 ? random.nextInt(100_000) : 100 * random.nextInt(1, 4)];
        random.nextBytes(value);
        return value;
    }

    private static byte[] key(long number) {
        return ByteBuffer.allocate(8).putLong(number).array();
    }

    /**
     * Copies what the disk may hold. The journal's last file was begun when the others were durable, and is empty or has a header
     * that is; of each other sector of it that is not synced, there is what it holds now or what it held before.
     */
    private static void crash(SyncRecorder store, Path files, Path crashed, Random random) throws IOException {
        Map<Path, byte[]> syncedBefore = Map.copyOf(store.synced());
        copy(files, crashed);
        Path last = last(crashed);
        if (last == null) {
            return;
        }
        byte[] now = content(last);
        byte[] before = Arrays.copyOf(syncedBefore.getOrDefault(last.getFileName(), new byte[0]), now.length);
        System.arraycopy(now, 0, before, 0, Math.min(HEADER_BYTES, now.length));
        boolean isInOrder = random.nextBoolean();
        int cut = random.nextInt(now.length + 1);
        for (int at = 0; at < now.length; at += SECTOR_BYTES) {
            int end = Math.min(at + SECTOR_BYTES, now.length);
            if (!Arrays.equals(now, at, end, before, at, end)) {
                if (isInOrder ? at > cut : random.nextBoolean()) {
                    System.arraycopy(before, at, now, at, end - at);
                } else if (random.nextInt(20) == 0) {
                    random.ints(at, end)
                            .limit(3)
                            .filter(broken -> now[broken] != before[broken])
                            .forEach(broken -> now[broken] ^= 8);
                }
            }
        }
        Files.write(last, now);
    }

    /** The file of the journal whose batches are the newest; null if there is none. */
    private static @Nullable Path last(Path directory) throws IOException {
        Path last = null;
        long lastFirst = 0;
        for (Path each : journal(directory)) {
            ByteBuffer header = header(each);
            long first = header.capacity() < HEADER_BYTES ? 0 : header.getLong(2 * Long.BYTES);
            if (first > lastFirst) {
                last = each;
                lastFirst = first;
            }
        }
        return last;
    }

    private static ByteBuffer header(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return ByteBuffer.wrap(in.readNBytes(HEADER_BYTES));
        }
    }

    /** Again if files have come, gone or been begun meanwhile: a power loss happens at one moment. */
    private static void copy(Path from, Path to) throws IOException {
        while (true) {
            List<Path> names = names(from);
            try {
                List<ByteBuffer> headers = headers(from);
                for (Path each : names) {
                    Files.copy(from.resolve(each), to.resolve(each));
                }
                if (names(from).equals(names) && headers(from).equals(headers)) {
                    return;
                }
            } catch (NoSuchFileException e) {
                // Gone since it was listed.
            }
            for (Path each : names(to)) {
                Files.delete(to.resolve(each));
            }
        }
    }

    private static List<ByteBuffer> headers(Path directory) throws IOException {
        List<ByteBuffer> headers = new ArrayList<>();
        for (Path each : journal(directory)) {
            headers.add(header(each));
        }
        return headers;
    }

    private static List<Path> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(Path::getFileName).sorted().toList();
        }
    }

    /** The first of these rows, in both tables, and nothing else; answers how many. */
    private static int verify(RocksStore store, List<byte[]> rows) {
        int found = 0;
        try (Snapshot snapshot = store.snapshot(store.position().clusterTime());
                Scan documents = snapshot.scan(Table.DOCUMENTS, KeyRange.ALL, false);
                Scan indexes = snapshot.scan(Table.INDEXES, KeyRange.ALL, false)) {
            while (documents.next()) {
                assertThat(found).isLessThan(rows.size());
                assertThat(documents.key()).isEqualTo(key(found));
                assertThat(documents.value()).isEqualTo(rows.get(found));
                assertThat(indexes.next()).isTrue();
                assertThat(indexes.key()).isEqualTo(key(found));
                assertThat(indexes.value()).isEqualTo(key(documents.value().length));
                found++;
            }
            assertThat(indexes.next()).isFalse();
        }
        assertThat(store.position().clusterTime() == 0).isEqualTo(found == 0);
        return found;
    }

    private static List<Path> journal(Path directory) {
        return withSuffix(directory, ".journal");
    }

    private static List<Path> withSuffix(Path directory, String suffix) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(each -> each.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] content(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
