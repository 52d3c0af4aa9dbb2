package dev.semel.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.store.EngineException;
import dev.semel.store.Table;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    private static final int FILE_BYTES = 1 << 20;
    private static final int[] FAMILIES =
            IntStream.rangeClosed(1, Table.values().length).toArray();

    @TempDir
    private Path directory;

    /** Stands for the engine. */
    private static final class Tables implements Journal.Tables {
        private final List<Long> applied = new ArrayList<>();
        private long persisted;
        private int flushes;

        @Override
        public long persisted() {
            return persisted;
        }

        @Override
        public void flush(boolean wait) {
            flushes++;
            if (wait) {
                persisted = applied.getLast();
            }
        }

        @Override
        public void apply(byte[] batch) {
            applied.add(ByteBuffer.wrap(batch).getLong());
        }
    }

    private final Tables tables = new Tables();

    private Journal open() {
        tables.applied.clear();
        Journal journal = new Journal(directory, tables, FILE_BYTES);
        journal.recover();
        return journal;
    }

    /** With its number in it. */
    private static void append(Journal journal, int bytes) {
        journal.append(ByteBuffer.allocate(bytes).putLong(journal.next()).array());
    }

    private void assertApplied(long from, long to) {
        assertThat(tables.applied)
                .isEqualTo(LongStream.rangeClosed(from, to).boxed().toList());
    }

    private Path file(int number) {
        return directory.resolve(number + Journal.SUFFIX);
    }

    private static void flip(Path file, long at) throws IOException {
        try (RandomAccessFile changed = new RandomAccessFile(file.toFile(), "rw")) {
            changed.seek(at);
            int before = changed.read();
            changed.seek(at);
            changed.write(before ^ 1);
        }
    }

    @Test
    void whatTheTablesDoNotHaveIsAppliedAgain() {
        try (Journal journal = open()) {
            for (int i = 0; i < 300; i++) {
                append(journal, i % 10 == 0 ? 100_000 : 20);
            }
        }
        open().close();
        assertApplied(1, 300);
        tables.persisted = 177;
        try (Journal journal = open()) {
            assertApplied(178, 300);
            append(journal, 50);
        }
        tables.persisted = 301;
        open().close();
        assertThat(tables.applied).isEmpty();
    }

    @Test
    void largeBatchIsTheSameInPieces() throws Exception {
        List<byte[]> batches = new ArrayList<>();
        try (Journal journal = open()) {
            for (int bytes : new int[] {0, 1, 65_000, 65_535, 65_536, 100_000}) {
                BatchBytes whole = new BatchBytes(FAMILIES, table -> null, 0);
                addRows(whole, bytes);
                batches.add(whole.finish());
                journal.append(FAMILIES, table -> null, rows -> addRows(rows, bytes));
                journal.append(batches.getLast());
            }
        }
        List<byte[]> read = new ArrayList<>();
        try (JournalFile file = new JournalFile(file(1))) {
            assertThat(file.hasHeader()).isTrue();
            file.read((number, batch) -> {
                assertThat(number).isEqualTo(read.size() + 1);
                read.add(batch);
            });
        }
        assertThat(read).hasSize(2 * batches.size());
        for (int i = 0; i < read.size(); i++) {
            assertThat(read.get(i)).isEqualTo(batches.get(i / 2));
        }
    }

    private static void addRows(RowEncoder rows, int bytes) {
        byte[] value = new byte[bytes];
        Arrays.fill(value, (byte) 7);
        rows.put(Table.DOCUMENTS, new byte[] {1}, value);
        rows.delete(Table.INDEXES, new byte[] {2});
        rows.put(Table.OPLOG, new byte[] {3}, value);
    }

    @Test
    void filesAreWrittenAgain() throws Exception {
        try (Journal journal = open()) {
            for (int i = 0; i < 1000; i++) {
                append(journal, 30_000);
                journal.sync();
                tables.persisted = Math.max(0, journal.next() - 50);
            }
            assertThat(Journal.paths(directory)).hasSizeLessThan(6);
            assertThat(tables.flushes).isZero();
        }
        long persisted = tables.persisted;
        open().close();
        assertApplied(persisted + 1, 1000);
    }

    /** Then only the engine can make it shorter, and is told so once for each time. */
    @Test
    void tablesAreWrittenOutWhenItIsLong() throws Exception {
        try (Journal journal = open()) {
            while (tables.flushes == 0) {
                append(journal, 100_000);
            }
            assertThat(Journal.paths(directory)).hasSize(9);
            for (int i = 0; i < 50; i++) {
                append(journal, 100_000);
            }
            assertThat(tables.flushes).isEqualTo(1);
            tables.persisted = journal.next() - 1;
            for (int i = 0; i < 50; i++) {
                append(journal, 100_000);
            }
            assertThat(tables.flushes).isEqualTo(1);
            journal.sync();
            // In use, and kept.
            assertThat(Journal.paths(directory).size()).isLessThanOrEqualTo(5 + 8);
        }
    }

    /** What lies behind it was never synced. */
    @Test
    void endsAtTheFirstBatchThatIsNotWhole() throws Exception {
        try (Journal journal = open()) {
            for (int i = 0; i < 10; i++) {
                append(journal, 1000);
            }
        }
        flip(file(1), 5 * 1000);
        try (Journal journal = open()) {
            assertApplied(1, 4);
            append(journal, 1000);
        }
        open().close();
        assertApplied(5, 5);
    }

    /** A file is begun when all before it is durable, so no power loss has done this. */
    @Test
    void damageBeforeTheLastFileIsNoEnd() throws Exception {
        try (Journal journal = open()) {
            for (int i = 0; i < 35; i++) {
                append(journal, 100_000);
            }
        }
        assertThat(Journal.paths(directory)).hasSize(4);
        byte[] whole = Files.readAllBytes(file(2));
        flip(file(2), 500_000);
        assertIsRefused(16);
        flip(file(2), 3);
        assertIsRefused(12);
        assertThat(Journal.paths(directory)).hasSize(4);
        Files.delete(file(2));
        assertIsRefused(12);
        Files.write(file(2), whole);
        open().close();
        assertApplied(1, 35);
    }

    private void assertIsRefused(long missing) {
        assertThatThrownBy(this::open)
                .isInstanceOf(EngineException.class)
                .hasMessage("the journal in " + directory + " is damaged: its batch " + missing
                        + " is not there, and those from 23 on, in 3.journal, 4.journal, cannot be applied without it."
                        + " To open the directory without these, remove the files.");
    }

    @Test
    void damagedOneGoesOnOnceWhatIsBehindHasBeenRemoved() throws Exception {
        try (Journal journal = open()) {
            for (int i = 0; i < 35; i++) {
                append(journal, 100_000);
            }
        }
        flip(file(2), 500_000);
        Files.delete(file(3));
        Files.delete(file(4));
        try (Journal journal = open()) {
            assertApplied(1, 15);
            for (int i = 0; i < 20; i++) {
                append(journal, 100_000);
            }
        }
        open().close();
        assertApplied(16, 35);
    }

    /** Even one that has the next number, and lies where the next record would: numbers are used again after a power loss. */
    @Test
    void recordsOfAnEarlierUseAreNoRecords() throws Exception {
        List<Long> numbers = new ArrayList<>();
        try (JournalFile file = new JournalFile(file(1))) {
            file.begin(5);
            for (int i = 0; i < 10; i++) {
                file.append(new byte[100]);
            }
            file.begin(3);
            for (int bytes : new int[] {24, 24, 20}) {
                file.append(new byte[bytes]);
            }
            assertThat(file.hasHeader()).isTrue();
            file.read((number, batch) -> numbers.add(number));
        }
        assertThat(numbers).containsExactly(3L, 4L, 5L);
    }

    /** What a process that was killed has left may be in the operating system's memory alone. */
    @Test
    void whatAStartAppliesIsMadeDurable() throws Exception {
        try (Journal journal = open()) {
            for (int i = 0; i < 15; i++) {
                append(journal, 100_000);
            }
        }
        open().close();
        assertApplied(1, 15);
        assertThat(tables.persisted).isEqualTo(15);
        open().close();
        assertThat(tables.applied).isEmpty();
        assertThat(tables.flushes).isEqualTo(1);
    }

    /**
     * What comes before it has to be durable first, so that a gap is damage and nothing else. And the header itself before its
     * records: otherwise a power loss could take back the header alone, and the next use would be taken for this one.
     */
    @Test
    void fileIsBegunInOrder() throws Exception {
        try (Journal journal = open()) {
            assertThat(syncedOrWritten(() -> append(journal, 100)))
                    .containsExactly("write 28 1.journal", "sync 1.journal", "write 116 1.journal");
            assertThat(syncedOrWritten(() -> append(journal, 100))).containsExactly("write 116 1.journal");
            fill(journal);
            assertThat(syncedOrWritten(() -> append(journal, 100)))
                    .containsExactly("sync 1.journal", "write 28 2.journal", "sync 2.journal", "write 116 2.journal");
            tables.persisted = journal.next() - 1;
            fill(journal);
            assertThat(syncedOrWritten(() -> append(journal, 100)))
                    .containsExactly("sync 2.journal", "write 28 1.journal", "sync 1.journal", "write 116 1.journal");
        }
    }

    private static void fill(Journal journal) {
        for (int i = 0; i < 11; i++) {
            append(journal, 100_000);
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    /** In the order of their ends. */
    private List<String> syncedOrWritten(Work work) throws Exception {
        Path dump = Files.createTempFile(directory, "events", ".jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.FileForce").withThreshold(Duration.ZERO);
            recording.enable("jdk.FileWrite").withThreshold(Duration.ZERO);
            recording.start();
            work.run();
            recording.dump(dump);
        }
        return RecordingFile.readAllEvents(dump).stream()
                .sorted(Comparator.comparing(RecordedEvent::getEndTime))
                .filter(each -> path(each).startsWith(directory)
                        && path(each).toString().endsWith(Journal.SUFFIX))
                .map(JournalTest::describe)
                .toList();
    }

    private static Path path(RecordedEvent event) {
        return Path.of(event.getString("path"));
    }

    private static String describe(RecordedEvent event) {
        Path name = path(event).getFileName();
        return event.getEventType().getName().equals("jdk.FileForce")
                ? "sync " + name
                : "write " + event.getLong("bytesWritten") + " " + name;
    }

    @Test
    void fileWithoutAHeaderIsRemoved() throws Exception {
        Files.write(file(7), new byte[] {1, 2, 3});
        Files.write(directory.resolve("x" + Journal.SUFFIX), new byte[] {1, 2, 3});
        Files.write(directory.resolve("99999999999" + Journal.SUFFIX), new byte[] {1, 2, 3});
        try (Journal journal = open()) {
            append(journal, 100);
        }
        open().close();
        assertApplied(1, 1);
        assertThat(Journal.paths(directory)).containsExactly(file(8));
    }

    /** An interrupt closes a channel for everybody. */
    @Test
    void interruptsDoNoHarm() {
        try (Journal journal = open()) {
            for (int i = 0; i < 20; i++) {
                Thread.currentThread().interrupt();
                append(journal, 100_000);
                journal.sync();
                assertThat(Thread.interrupted()).isTrue();
            }
        }
        open().close();
        assertApplied(1, 20);
    }
}
