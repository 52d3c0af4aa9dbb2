package dev.semel.store.spill;

/** A block that has been read, and the buffers that are used for the next one again. */
final class Block {
    private byte[] stored = {};
    private byte[] bytes = {};
    private int length;
    private long next;

    /** Room for what is in the file. */
    byte[] stored(int needed) {
        if (stored.length < needed) {
            stored = new byte[needed];
        }
        return stored;
    }

    /** Room for a block of this length. */
    byte[] begin(int blockLength) {
        if (bytes.length < blockLength) {
            bytes = new byte[blockLength];
        }
        length = blockLength;
        return bytes;
    }

    void next(long place) {
        next = place;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** Where in the file the next block begins. */
    long next() {
        return next;
    }
}
