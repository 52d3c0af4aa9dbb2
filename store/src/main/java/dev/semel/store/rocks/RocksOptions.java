package dev.semel.store.rocks;

/**
 * What a store on disk may take.
 *
 * @param cacheBytes of uncompressed blocks in memory
 * @param documentCacheBytes of documents in the heap that are read again and again; 0 for none
 * @param writeBufferBytes of recent writes in memory, all tables together
 * @param walBytesMax after which tables are written out so that the log can go: it bounds the time a start takes; 0 for data
 *     that need not survive the process
 */
public record RocksOptions(long cacheBytes, long documentCacheBytes, long writeBufferBytes, long walBytesMax) {
    private static final long MEGABYTE = 1 << 20;

    /** A start reads the log again at 50 to 70 MB a second. */
    private static final long LOG_BYTES_MAX = 192 * MEGABYTE;

    /**
     * A share of what the machine has beside the heap. Half of that stays with the operating system, whose page cache
     * holds the compressed blocks.
     */
    public static RocksOptions forMemory(long physicalBytes, long heapBytesMax, long documentCacheBytes) {
        long rest = Math.max(0, physicalBytes - heapBytesMax);
        long cache = Math.max(64 * MEGABYTE, rest * 2 / 5);
        long buffers = Math.clamp(rest / 16, 32 * MEGABYTE, 256 * MEGABYTE);
        return new RocksOptions(cache, documentCacheBytes, buffers, Math.min(buffers, LOG_BYTES_MAX));
    }

    /** For what a transaction has written and not committed. */
    static RocksOptions scratch() {
        return new RocksOptions(8 * MEGABYTE, 0, 16 * MEGABYTE, 0);
    }

    boolean isScratch() {
        return walBytesMax == 0;
    }

    /** For tests: little memory, files soon. */
    public static RocksOptions small() {
        return new RocksOptions(8 * MEGABYTE, MEGABYTE, 4 * MEGABYTE, 8 * MEGABYTE);
    }
}
