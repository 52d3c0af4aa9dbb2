package dev.semel.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RocksOptionsTest {
    private static final long MEGABYTE = 1 << 20;

    /** The log is what a start has to read again. */
    @Test
    void theLogIsLimitedHoweverMuchMemoryThereIs() {
        var large = RocksOptions.forMemory(100_000 * MEGABYTE, 1_000 * MEGABYTE);
        assertThat(large.documentCacheBytes()).isEqualTo(1_000 * MEGABYTE / 16 + 488 * MEGABYTE / 8);
        assertThat(large.writeBufferBytes()).isEqualTo(256 * MEGABYTE);
        assertThat(large.journalBytesMax()).isEqualTo(192 * MEGABYTE);
        assertThat(large.cacheBytes()).isEqualTo(39_600 * MEGABYTE);
    }

    @Test
    void littleMemoryIsEnough() {
        var little = RocksOptions.forMemory(256 * MEGABYTE, 256 * MEGABYTE);
        assertThat(little.cacheBytes()).isEqualTo(64 * MEGABYTE);
        assertThat(little.documentCacheBytes()).isEqualTo(16 * MEGABYTE);
        assertThat(little.writeBufferBytes()).isEqualTo(32 * MEGABYTE);
        assertThat(little.journalBytesMax()).isEqualTo(32 * MEGABYTE);
    }
}
