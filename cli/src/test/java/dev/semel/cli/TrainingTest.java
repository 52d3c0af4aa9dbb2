package dev.semel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the launcher runs once, in a process of its own, because it ends its JVM. */
class TrainingTest {
    private static final int MINUTES_MAX = 3;

    /** One server on disk and three members. */
    private static final int FOLDERS = 4;

    @TempDir
    private Path folder;

    @Test
    void allServersWorkAndThePrimaryChanges() throws Exception {
        var data = folder.resolve("data");
        var said = folder.resolve("said");
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Training.class.getName(),
                        data.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(said, UTF_8)).isZero();
        assertThat(data.toFile().list()).hasSize(FOLDERS);
    }
}
