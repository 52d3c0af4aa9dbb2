package dev.semel.store;

import dev.semel.golden.GoldenScripts;
import dev.semel.store.memory.MemoryStore;
import dev.semel.store.rocks.RocksOptions;
import dev.semel.store.rocks.RocksStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What isolation and locks promise, the same on every engine. */
class TransactionScriptsTest {
    @TempDir
    private Path directory;

    @TestFactory
    Stream<DynamicTest> anomaliesInMemory() {
        return GoldenScripts.named("anomalies").run(() -> new TransactionScript(new MemoryStore()));
    }

    @TestFactory
    Stream<DynamicTest> anomaliesOnDisk() {
        return GoldenScripts.named("anomalies").run(() -> new TransactionScript(onDisk()));
    }

    @TestFactory
    Stream<DynamicTest> locksInMemory() {
        return GoldenScripts.named("locks").run(() -> new TransactionScript(new MemoryStore()));
    }

    @TestFactory
    Stream<DynamicTest> locksOnDisk() {
        return GoldenScripts.named("locks").run(() -> new TransactionScript(onDisk()));
    }

    private Store onDisk() {
        try {
            return RocksStore.open(Files.createTempDirectory(directory, "store"), RocksOptions.small());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
