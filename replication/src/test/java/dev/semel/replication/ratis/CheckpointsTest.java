package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which checkpoints are kept, and what remains of transfers. */
class CheckpointsTest {
    private static final SnapshotRetentionPolicy ANY = new SnapshotRetentionPolicy() {};

    @TempDir
    Path folder;

    private final Checkpoints checkpoints = new Checkpoints();

    @BeforeEach
    void open() throws IOException {
        checkpoints.open(folder.resolve("sm"));
    }

    private Checkpoints.Checkpoint save(long index) throws IOException {
        checkpoints.save(TermIndex.valueOf(1, index), where -> Files.writeString(where.resolve("file"), "content"));
        checkpoints.cleanupOldSnapshots(ANY);
        return Objects.requireNonNull(checkpoints.getLatestSnapshot());
    }

    @Test
    void theNewestTwoAreKept() throws Exception {
        var first = save(1);
        var second = save(2);
        var third = save(3);
        assertThat(first.folder()).doesNotExist();
        assertThat(second.folder()).exists();
        assertThat(third.folder()).exists();
    }

    /** Or a member could not be brought up to date while others write much. */
    @Test
    void oneThatIsBeingSentIsKeptUntilItIsSent() throws Exception {
        var first = save(1);
        var toOne = new Object();
        var toAnother = new Object();
        checkpoints.sending(toOne, first);
        checkpoints.sending(toAnother, first);
        save(2);
        save(3);
        assertThat(first.folder().resolve("file")).exists();
        checkpoints.sent(toOne);
        save(4);
        assertThat(first.folder().resolve("file")).exists();
        checkpoints.sending(toAnother, save(5));
        save(6);
        assertThat(first.folder()).doesNotExist();
    }

    /** A file would be read once for each of its chunks. */
    @Test
    void filesNameNoDigest() throws Exception {
        assertThat(save(1).files()).hasSize(1).allMatch(file -> file.getFileDigest() == null);
    }

    @Test
    void otherTransfersThanOneAreDeleted() throws Exception {
        Path broken = arriving("snapshot-b");
        Path present = arriving("snapshot-a");
        checkpoints.deleteTransfersBut("a");
        assertThat(checkpoints.arrivedBytes()).isEqualTo(3);
        assertThat(broken).doesNotExist();
        assertThat(present).exists();
    }

    private Path arriving(String name) throws IOException {
        Path transfer = folder.resolve("tmp").resolve(name);
        Files.writeString(Files.createDirectories(transfer.resolve("sm")).resolve("file"), "abc");
        return transfer;
    }
}
