package dev.semel.server.plan;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/** Keys of documents that have been found already. */
final class Seen {
    private final Set<ByteBuffer> keys = new HashSet<>();

    /** False if it was there before. */
    boolean add(byte[] key) {
        return keys.add(ByteBuffer.wrap(key));
    }

    boolean contains(byte[] key) {
        return keys.contains(ByteBuffer.wrap(key));
    }
}
