package dev.semel.wire.memory;

/** What things cost in the heap, roughly: for accounts, which would rather count too much than too little. */
public final class HeapBytes {
    private static final int ARRAY_HEADER_BYTES = 16;
    private static final int ALIGNMENT_BYTES = 8;

    /**
     * The collector divides the heap into regions, some 2,048 of a megabyte at least, and what is larger than half a region
     * gets whole ones: an array a little larger than one region takes two.
     */
    private static final long REGION_BYTES =
            Math.clamp(Long.highestOneBit(Runtime.getRuntime().maxMemory() / 2048), 1 << 20, 32 << 20);

    private HeapBytes() {}

    /** Of a byte array of this length. */
    public static long ofArray(long length) {
        long bytes = roundUp(length + ARRAY_HEADER_BYTES, ALIGNMENT_BYTES);
        return bytes < REGION_BYTES / 2 ? bytes : roundUp(bytes, REGION_BYTES);
    }

    private static long roundUp(long bytes, long unit) {
        return (bytes + unit - 1) / unit * unit;
    }
}
