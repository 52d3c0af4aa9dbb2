package dev.semel.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
    @TempDir
    private Path folder;

    /** Else a power loss may take the name of the directory, and with it all that has been synced inside. */
    @Test
    void namesOfWhatItMakesAreSynced() throws Exception {
        assertThat(synced(() -> DataDirectory.prepare(folder.resolve("a/b/c"))))
                .containsExactlyInAnyOrder(folder.resolve("a/b"), folder.resolve("a"), folder);
        assertThat(folder.resolve("a/b/c")).isDirectory();
    }

    @Test
    void whatIsThereIsLeftAsItIs() throws Exception {
        assertThat(synced(() -> DataDirectory.prepare(folder))).isEmpty();
    }

    private List<Path> synced(Runnable work) throws Exception {
        Path dump = Files.createTempFile("events", ".jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.FileForce").withThreshold(Duration.ZERO);
            recording.start();
            work.run();
            recording.dump(dump);
            return RecordingFile.readAllEvents(dump).stream()
                    .map(each -> Path.of(Objects.requireNonNull(each.getString("path"))))
                    .filter(each -> each.startsWith(folder))
                    .toList();
        } finally {
            Files.delete(dump);
        }
    }
}
