package dev.semel.server.oplog;

import dev.semel.store.key.KeyRange;
import java.nio.ByteBuffer;

/** Keys in the table of the operation log. */
final class OplogKeys {
    /** Where a key has its time. */
    static final int TIME_AT = 0;

    private OplogKeys() {}

    static byte[] entry(long time) {
        return ByteBuffer.allocate(Long.BYTES).putLong(time).array();
    }

    static byte[] image(long time, int position) {
        return ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(time)
                .putInt(position)
                .array();
    }

    static boolean isEntry(byte[] key) {
        return key.length == Long.BYTES;
    }

    static long time(byte[] key) {
        return ByteBuffer.wrap(key).getLong();
    }

    /** After one time, up to another. */
    static KeyRange between(long after, long upTo) {
        return upTo == -1 ? KeyRange.atLeast(entry(after + 1)) : new KeyRange(entry(after + 1), entry(upTo + 1));
    }

    /** Everything up to a time. */
    static KeyRange through(long upTo) {
        return new KeyRange(new byte[0], entry(upTo + 1));
    }
}
