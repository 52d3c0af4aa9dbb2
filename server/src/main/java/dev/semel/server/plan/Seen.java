package dev.semel.server.plan;

import dev.semel.query.expression.QueryMemory;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.memory.Reservation;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * Keys of documents that have been found already. They grow with the documents, whatever the answer is, so they draw on the memory of
 * all queries; how many one scan may have is limited by nothing else.
 */
final class Seen implements AutoCloseable {
    /** A key in the set takes about so much beside its bytes. */
    private static final long BYTES = 112;

    private final Set<ByteBuffer> keys = new HashSet<>();
    private final Reservation reservation;

    Seen(QueryMemory memory) {
        this.reservation = memory.all().open();
    }

    /** False if it was there before. */
    boolean add(byte[] key) {
        if (!keys.add(ByteBuffer.wrap(key))) {
            return false;
        }
        if (!reservation.tryGrow(BYTES + key.length)) {
            throw reservation
                    .part()
                    .refusal(
                            ErrorCode.QueryExceededMemoryLimitNoDiskUseAllowed,
                            "What all queries hold with the documents that this scan has found");
        }
        return true;
    }

    boolean contains(byte[] key) {
        return keys.contains(ByteBuffer.wrap(key));
    }

    @Override
    public void close() {
        keys.clear();
        reservation.close();
    }
}
