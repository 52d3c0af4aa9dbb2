package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto.SnapshotChunkProto;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts of transfers that were given up come between those of the one that goes on. */
class TransfersTest {
    @TempDir
    Path folder;

    private final Checkpoints checkpoints = new Checkpoints();
    private final Transfers transfers = new Transfers(checkpoints);
    private final List<String> handled = new ArrayList<>();

    @BeforeEach
    void open() throws IOException {
        checkpoints.open(folder.resolve("sm"));
    }

    /** Writes the part into a file, as Ratis does. */
    private boolean receive(String transfer, int index) throws IOException {
        var part = SnapshotChunkProto.newBuilder()
                .setRequestId(transfer)
                .setRequestIndex(index)
                .build();
        return transfers.receive(part, () -> {
            handled.add(transfer + index);
            try {
                Files.writeString(Files.createDirectories(tmp(transfer)).resolve("part" + index), "abc");
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    private Path tmp(String transfer) {
        return folder.resolve("tmp").resolve("snapshot-" + transfer);
    }

    @Test
    void partsOfTheOneThatBeganLastAreTaken() throws Exception {
        assertThat(receive("old", 0)).isTrue();
        assertThat(receive("old", 1)).isTrue();
        assertThat(receive("new", 0)).isTrue();
        assertThat(receive("old", 2)).isFalse();
        assertThat(receive("new", 1)).isTrue();
        assertThat(receive("old", 1)).isFalse();
        assertThat(handled).containsExactly("old0", "old1", "new0", "new1");
        assertThat(tmp("old")).doesNotExist();
        assertThat(tmp("new")).isDirectoryContaining("glob:**part0").isDirectoryContaining("glob:**part1");
    }

    /** Or its first files would be missing from what is taken for complete. */
    @Test
    void oneThatWasOvertakenNeverGoesOn() throws Exception {
        assertThat(receive("present", 0)).isTrue();
        assertThat(receive("late", 0)).isTrue();
        assertThat(receive("present", 1)).isFalse();
        assertThat(receive("again", 0)).isTrue();
        assertThat(receive("again", 1)).isTrue();
        assertThat(handled).containsExactly("present0", "late0", "again0", "again1");
    }

    @Test
    void noPartIsLeftOut() throws Exception {
        assertThat(receive("first", 1)).isFalse();
        assertThat(receive("first", 0)).isTrue();
        assertThat(receive("first", 2)).isFalse();
        assertThat(receive("first", 0)).isTrue();
        assertThat(receive("first", 1)).isTrue();
        assertThat(handled).containsExactly("first0", "first0", "first1");
    }
}
