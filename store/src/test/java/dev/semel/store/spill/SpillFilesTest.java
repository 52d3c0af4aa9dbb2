package dev.semel.store.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.golden.Seeds;
import dev.semel.wire.CommandException;
import dev.semel.wire.spill.SpillReader;
import dev.semel.wire.spill.SpillWriter;
import dev.semel.wire.spill.SpilledRun;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A query must read from its temporary files what it has written, and nothing of them may stay. */
class SpillFilesTest {
    @TempDir
    Path directory;

    private Path folder() {
        return directory.resolve(SpillFiles.FOLDER);
    }

    private static SpilledRun write(SpillFiles files, List<byte[]> records) {
        try (SpillWriter writer = files.write()) {
            records.forEach(each -> writer.add(each, 0, each.length));
            return writer.finish();
        }
    }

    private static List<byte[]> read(SpilledRun run) {
        List<byte[]> found = new ArrayList<>();
        try (SpillReader reader = run.read()) {
            while (reader.next()) {
                found.add(reader.copy());
            }
            assertThat(reader.next()).isFalse();
        }
        return found;
    }

    @Test
    void recordsComeBackInTheirOrder() {
        Seeds.check(20, random -> {
            List<byte[]> records = new ArrayList<>();
            int count = random.nextInt(200);
            for (int i = 0; i < count; i++) {
                byte[] record = new byte[random.nextInt(10) == 0 ? random.nextInt(200_000) : random.nextInt(3_000)];
                random.nextBytes(record);
                records.add(record);
            }
            try (SpillFiles files = SpillFiles.open(folder(), SpillLimits.unlimited());
                    SpilledRun run = write(files, records)) {
                assertThat(run.records()).isEqualTo(count);
                assertThat(read(run)).containsExactly(records.toArray(byte[][]::new));
                assertThat(read(run)).hasSize(count);
            }
        });
    }

    @Test
    void aClosedRunTakesNoRoom() {
        try (SpillFiles files = SpillFiles.open(folder(), SpillLimits.unlimited())) {
            SpilledRun run = write(files, List.of(new byte[100_000]));
            assertThat(files.statistics().bytes()).isEqualTo(run.diskBytes()).isPositive();
            assertThat(files.statistics().files()).isEqualTo(1);
            run.close();
            run.close();
            assertThat(files.statistics().bytes()).isZero();
            assertThat(files.statistics().files()).isZero();
            assertThat(files.statistics().peakBytes()).isPositive();
        }
        assertThat(folder()).doesNotExist();
    }

    @Test
    void aWriterThatGivesUpLeavesNothing() {
        try (SpillFiles files = SpillFiles.open(folder(), SpillLimits.unlimited())) {
            try (SpillWriter writer = files.write()) {
                writer.add(new byte[200_000], 0, 200_000);
            }
            assertThat(files.statistics().bytes()).isZero();
            assertThat(files.statistics().files()).isZero();
        }
    }

    @Test
    void whatACrashHasLeftIsDeletedAtTheNextStart() throws Exception {
        Files.createDirectories(folder());
        Files.writeString(folder().resolve("7"), "left");
        try (SpillFiles files = SpillFiles.open(folder(), SpillLimits.unlimited())) {
            assertThat(folder()).doesNotExist();
            assertThat(files.statistics().bytes()).isZero();
        }
    }

    @Test
    void theLimitOfAllFilesIsKept() {
        AtomicLong max = new AtomicLong(1_000);
        SpillLimits limits = new SpillLimits(max::get, "temporaryFileBytesMax", () -> 0);
        byte[] record = new byte[200_000];
        new java.util.Random(1).nextBytes(record);
        try (SpillFiles files = SpillFiles.open(folder(), limits)) {
            assertThatThrownBy(() -> write(files, List.of(record)))
                    .isInstanceOf(CommandException.class)
                    .hasMessage("Temporary files exceed the limit of 1000 bytes set by the parameter"
                            + " temporaryFileBytesMax, of which 0 are in use");
            assertThat(files.statistics().bytes()).isZero();
            max.set(1 << 20);
            try (SpilledRun run = write(files, List.of(record))) {
                assertThat(read(run)).hasSize(1);
            }
        }
    }

    @Test
    void theDiskKeepsItsFreeSpace() {
        SpillLimits limits = new SpillLimits(() -> Long.MAX_VALUE, "", () -> Long.MAX_VALUE / 2);
        try (SpillFiles files = SpillFiles.open(folder(), limits)) {
            assertThatThrownBy(() -> write(files, List.of(new byte[1])))
                    .isInstanceOf(CommandException.class)
                    .hasMessageContaining("is less than required minimum of");
            assertThat(files.statistics().bytes()).isZero();
        }
    }

    @Test
    void aDamagedBlockIsNoticed() throws Exception {
        Path file = directory.resolve("file");
        try (SpillFiles files = SpillFiles.open(folder(), SpillLimits.unlimited());
                FileChannel channel = FileChannel.open(
                        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                SpillFile damaged = new SpillFile(files, channel)) {
            Files.createDirectories(folder());
            byte[] record = new byte[1_000];
            new java.util.Random(1).nextBytes(record);
            RunWriter writer = new RunWriter(damaged);
            writer.add(record, 0, record.length);
            SpilledRun run = writer.finish();
            assertThat(read(run)).hasSize(1);
            channel.write(ByteBuffer.wrap(new byte[] {(byte) (record[500] + 1)}), 520);
            assertThatThrownBy(() -> read(run)).hasMessageContaining("the checksum of the block at 0 is wrong");
        }
    }
}
