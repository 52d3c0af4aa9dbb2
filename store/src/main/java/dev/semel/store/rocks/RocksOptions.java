package dev.semel.store.rocks;

/**
 * What a store on disk may take.
 *
 * @param cacheBytes of uncompressed blocks in memory
 * @param documentCacheBytes of documents and entries of indexes in the heap that are read again and again; 0 for none
 * @param writeBufferBytes of recent writes in memory, all tables together
 * @param journalBytesMax after which tables are written out so that the journal can go: it bounds the time a start takes; 0 for data
 *     that need not survive the process
 * @param backgroundJobs that write and merge files at once
 * @param openFilesMax of the files with rows
 */
public record RocksOptions(
        long cacheBytes,
        long documentCacheBytes,
        long writeBufferBytes,
        long journalBytesMax,
        int backgroundJobs,
        int openFilesMax,
        Files files) {
    private static final long MEGABYTE = 1 << 20;

    /** Where the operating system allows so many. */
    private static final int OPEN_FILES_MAX = 2000;

    /** What clients can make a server hold is limited to most of a heap; the larger it is, the more is left. */
    private static final long SMALL_HEAP_BYTES = 512 * MEGABYTE;

    /** A start reads the journal again, which takes a second or two for as much as this. */
    private static final long JOURNAL_BYTES_MAX = 192 * MEGABYTE;

    /**
     * How files are written.
     *
     * @param blockBytes uncompressed, of what is read at once
     * @param bloomBitsPerKey of the filters that tell most files without a key from those that may have it; 0 for none
     */
    public record Files(BlockCompression compression, int blockBytes, int bloomBitsPerKey) {
        static final Files USUAL = new Files(BlockCompression.LZ4, 8 << 10, 10);
    }

    /**
     * Shares of the heap, and of what the machine has beside it. Half of that stays with the operating system, whose page
     * cache holds the compressed blocks.
     */
    public static RocksOptions forMemory(long physicalBytes, long heapBytesMax) {
        long rest = Math.max(0, physicalBytes - heapBytesMax);
        long cache = Math.max(64 * MEGABYTE, rest * 2 / 5);
        long buffers = Math.clamp(rest / 16, 32 * MEGABYTE, 256 * MEGABYTE);
        long documents = heapBytesMax / 16 + Math.max(0, heapBytesMax - SMALL_HEAP_BYTES) / 8;
        return new RocksOptions(
                cache, documents, buffers, Math.min(buffers, JOURNAL_BYTES_MAX), jobs(), OPEN_FILES_MAX, Files.USUAL);
    }

    private static int jobs() {
        return Math.max(2, Runtime.getRuntime().availableProcessors());
    }

    /** For what a transaction has written and not committed. */
    static RocksOptions scratch() {
        return new RocksOptions(8 * MEGABYTE, 0, 16 * MEGABYTE, 0, jobs(), OPEN_FILES_MAX, Files.USUAL);
    }

    boolean isScratch() {
        return journalBytesMax == 0;
    }

    /** For tests: little memory, files soon. */
    public static RocksOptions small() {
        return new RocksOptions(
                8 * MEGABYTE, MEGABYTE, 4 * MEGABYTE, 8 * MEGABYTE, jobs(), OPEN_FILES_MAX, Files.USUAL);
    }
}
