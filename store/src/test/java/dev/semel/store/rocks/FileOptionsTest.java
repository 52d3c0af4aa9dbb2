package dev.semel.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.store.Batch;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How files are written may differ from start to start. */
class FileOptionsTest {
    private static final int KEYS = 20_000;

    @TempDir
    private Path directory;

    private static RocksOptions with(RocksOptions.Files files) {
        return new RocksOptions(8 << 20, 0, 2 << 20, 2 << 20, 2, 2000, files);
    }

    private static byte[] key(int number) {
        return ByteBuffer.allocate(4).putInt(number).array();
    }

    /** Half of it can be compressed. */
    private static byte[] value(int number) {
        byte[] value = new byte[100];
        ByteBuffer.wrap(value).putInt(50, number).putInt(number * 0x9E3779B9);
        return value;
    }

    /** Written out and merged, so that all of it is in files. */
    private void write(RocksOptions.Files files) {
        try (RocksStore store = RocksStore.open(directory, with(files))) {
            for (int i = 0; i < KEYS; i += 100) {
                Batch batch = new Batch();
                for (int j = i; j < i + 100; j++) {
                    batch.put(Table.DOCUMENTS, key(j), value(j));
                }
                store.write(batch, false);
            }
            store.compact(Table.DOCUMENTS, KeyRange.ALL);
        }
    }

    private void assertAllThere(RocksOptions.Files files) {
        try (RocksStore store = RocksStore.open(directory, with(files));
                var snapshot = store.snapshot(1)) {
            for (int i = 0; i < KEYS; i += 7) {
                assertThat(snapshot.get(Table.DOCUMENTS, key(i))).isEqualTo(value(i));
            }
            assertThat(snapshot.get(Table.DOCUMENTS, key(KEYS))).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void filesOfAnyCompressionCanBeRead(BlockCompression compression) {
        write(new RocksOptions.Files(compression, 1 << 10, 0));
        assertAllThere(RocksOptions.Files.USUAL);
        assertAllThere(new RocksOptions.Files(BlockCompression.NONE, 64 << 10, 20));
    }

    @Test
    void compressionMakesFilesSmaller() {
        assertThat(fileBytes("zstd", BlockCompression.ZSTD)).isLessThan(fileBytes("none", BlockCompression.NONE) / 2);
    }

    private long fileBytes(String name, BlockCompression compression) {
        directory = directory.resolveSibling(name);
        write(new RocksOptions.Files(compression, 8 << 10, 10));
        try (RocksStore store = RocksStore.open(directory, with(RocksOptions.Files.USUAL))) {
            return store.figures().getOrDefault("fileBytes", -1L);
        }
    }

    /** The engine does not keep a block that is larger than a part of its cache. */
    @Test
    void theFilterOfALargeFileStaysInASmallCache() throws Exception {
        int keys = 600_000;
        try (RocksStore store = RocksStore.open(directory, with(RocksOptions.Files.USUAL))) {
            for (int i = 0; i < keys; i += 1_000) {
                Batch batch = new Batch();
                for (int j = i; j < i + 1_000; j++) {
                    batch.put(Table.INDEXES, key(2 * j), new byte[0]);
                }
                store.write(batch, false);
            }
            store.compact(Table.INDEXES, KeyRange.ALL);
            absent(store, keys);
            long before = coldReads(store);
            absent(store, keys);
            // One in a hundred filters says that the key may be there, and its block may have to be read.
            assertThat(coldReads(store) - before).isLessThan(100);
        }
    }

    private static void absent(RocksStore store, int keys) throws InterruptedException {
        Thread.ofVirtual()
                .start(() -> {
                    try (var snapshot = store.snapshot(1)) {
                        for (int i = 0; i < 1_000; i++) {
                            snapshot.get(Table.INDEXES, key(2 * (i * 7_919 % keys) + 1));
                        }
                    }
                })
                .join();
    }

    private static long coldReads(RocksStore store) {
        return store.figures().getOrDefault("coldReads", -1L);
    }
}
