package dev.semel.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RocksOptionsTest {
    private static final long MEGABYTE = 1 << 20;

    /** The log is what a start has to read again. */
    @Test
    void theLogIsLimitedHoweverMuchMemoryThereIs() {
        var large = RocksOptions.forMemory(100_000 * MEGABYTE, 1_000 * MEGABYTE, 60 * MEGABYTE);
        assertThat(large.writeBufferBytes()).isEqualTo(256 * MEGABYTE);
        assertThat(large.walBytesMax()).isEqualTo(192 * MEGABYTE);
        assertThat(large.cacheBytes()).isEqualTo(39_600 * MEGABYTE);
    }

    @Test
    void littleMemoryIsEnough() {
        assertThat(RocksOptions.forMemory(256 * MEGABYTE, 256 * MEGABYTE, 16 * MEGABYTE))
                .isEqualTo(new RocksOptions(64 * MEGABYTE, 16 * MEGABYTE, 32 * MEGABYTE, 32 * MEGABYTE));
    }
}
