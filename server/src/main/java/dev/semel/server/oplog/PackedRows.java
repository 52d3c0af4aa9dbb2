package dev.semel.server.oplog;

import dev.semel.wire.memory.HeapBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Many short runs of bytes without an object for each. */
final class PackedRows {
    private static final int FIRST_CHUNK_BYTES = 256;
    private static final int CHUNK_BYTES_MAX = 64 << 10;

    /** A row lies within one chunk. */
    private final List<byte[]> chunks = new ArrayList<>(0);

    /** Per row its chunk, and where in it the row begins and ends. */
    private int[] places = {};

    private int size;

    /** How far its chunk is filled with the row begun last. */
    private int filled;

    private long bytes;
    private long heapBytes;

    /** A new row of that many bytes, which {@link #put} then fills. */
    void begin(int length) {
        int used = size == 0 ? 0 : places[3 * size - 1];
        int chunk = size == 0 ? -1 : places[3 * size - 3];
        if (chunk < 0 || chunks.get(chunk).length - used < length) {
            int last = chunks.isEmpty() ? FIRST_CHUNK_BYTES / 2 : chunks.getLast().length;
            byte[] added = new byte[Math.max(length, Math.min(CHUNK_BYTES_MAX, 2 * last))];
            chunks.add(added);
            heapBytes += HeapBytes.ofArray(added.length);
            chunk = chunks.size() - 1;
            used = 0;
        }
        if (places.length < 3 * (size + 1)) {
            places = Arrays.copyOf(places, Math.max(12, places.length + (places.length >> 1) / 3 * 3));
        }
        places[3 * size] = chunk;
        places[3 * size + 1] = used;
        places[3 * size + 2] = used + length;
        size++;
        bytes += length;
        filled = used;
    }

    /** The next bytes of the row begun last. */
    void put(byte[] from, int start, int end) {
        System.arraycopy(from, start, chunks.getLast(), filled, end - start);
        filled += end - start;
    }

    int size() {
        return size;
    }

    int length(int row) {
        return places[3 * row + 2] - places[3 * row + 1];
    }

    /** Where a row is: from {@link #start} on. Not to be changed. */
    byte[] array(int row) {
        return chunks.get(places[3 * row]);
    }

    int start(int row) {
        return places[3 * row + 1];
    }

    /** Removes the rows after the first ones. */
    void truncate(int rows) {
        while (size > rows) {
            size--;
            bytes -= length(size);
        }
        int kept = size == 0 ? 0 : places[3 * size - 3] + 1;
        while (chunks.size() > kept) {
            heapBytes -= HeapBytes.ofArray(chunks.removeLast().length);
        }
    }

    /** Of the rows. */
    long bytes() {
        return bytes;
    }

    /** What all of this takes. */
    long heapBytes() {
        return heapBytes + HeapBytes.ofArray(4L * places.length);
    }
}
