package dev.semel.store;

import dev.semel.store.key.KeyRange;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The rows of a large commit of one of several nodes, which no heap holds. They reach the others as small commits of their
 * own before it, each of which puts a chunk of them into a table that nobody reads: so they are in checkpoints, outlive
 * restarts, and do not hold up what others commit meanwhile. The large commit itself names its chunks. Each node then sorts
 * their rows into files that its engine ingests with the rest of that commit, which also removes the chunks.
 *
 * <p>If it never comes, because the node has ceased to be primary, the next primary removes what is here of it.
 *
 * <p>Rows of {@link Table#CHUNKS}; numbers have the highest byte first:
 *
 * <pre>
 * key    term (8), number of the large commit in it (8), ordinal of the chunk (4)
 * value  rows as {@link RecordCodec} has them, up to the end
 * </pre>
 *
 * @param term in which all of them were committed
 */
record Chunks(long term, long number, int count) {
    private static final int KEY_BYTES = 2 * Long.BYTES + Integer.BYTES;

    byte[] key(int ordinal) {
        return ByteBuffer.allocate(KEY_BYTES)
                .putLong(term)
                .putLong(number)
                .putInt(ordinal)
                .array();
    }

    /** Where they all are. */
    KeyRange keys() {
        return KeyRange.prefix(Arrays.copyOf(key(0), 2 * Long.BYTES));
    }

    /** All of earlier terms. */
    static KeyRange before(long term) {
        return KeyRange.of(
                new byte[0], true, ByteBuffer.allocate(Long.BYTES).putLong(term).array(), false);
    }

    /** Their rows, as this snapshot has them. */
    RowSource in(Snapshot snapshot) {
        return target -> {
            int next = 0;
            try (Scan scan = snapshot.scan(Table.CHUNKS, keys(), false)) {
                while (scan.next()) {
                    if (!Arrays.equals(scan.key(), key(next))) {
                        break;
                    }
                    next++;
                    RecordCodec.rows(scan.value(), target);
                }
            }
            if (next != count) {
                throw new EngineException(
                        "of %d chunks of a large commit, the one with the number %d is missing".formatted(count, next));
            }
        };
    }
}
