package dev.semel.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryTest {
    private static final int KILLED = 3;

    @TempDir
    private Path folder;

    @Test
    void aProcessThatIsKilledLeavesNoneBehind() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Opened.class.getName(),
                        folder.resolve("data").toString())
                .inheritIO();
        builder.environment().remove("ROCKSDB_SHAREDLIB_DIR");
        Process process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).isEqualTo(KILLED);
        assertThat(folder.resolve("data").resolve("CURRENT")).exists();
        try (Stream<Path> left = Files.list(temporary)) {
            assertThat(left).isEmpty();
        }
    }

    /** Opens a store and ends as a killed process does, without any of its last acts. */
    static final class Opened {
        private Opened() {}

        public static void main(String[] args) {
            RocksStore.open(Path.of(args[0]), RocksOptions.small());
            Runtime.getRuntime().halt(KILLED);
        }
    }
}
