package dev.semel.server.command;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.memory.MemoryPart;
import dev.semel.wire.memory.Reservation;
import java.util.concurrent.TimeUnit;

/**
 * What the reply of one call takes until its client has read it. Small replies are not counted: they belong to what a
 * connection takes anyway.
 */
public final class ReplyMemory {
    private static final int FREE_BYTES = 64 << 10;
    private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Call call;
    private final Reservation replies;
    private final MemoryPart queries;

    /**
     * @param replies for what is in the reply
     * @param queries for a document that waits for room in it
     */
    ReplyMemory(Call call, MemoryPart replies, MemoryPart queries) {
        this.call = call;
        this.replies = replies.open();
        this.queries = queries;
    }

    /** Whether the reply may become as long as this. */
    public boolean tryReach(long length) {
        // A writer has up to half again of what it holds.
        long wanted = length <= FREE_BYTES ? 0 : length + length / 2;
        return wanted <= replies.bytes() || replies.tryGrow(wanted - replies.bytes());
    }

    /** The same for a first document, without which the client would never get on: waits for a while, then fails. */
    public void reach(long length) {
        if (tryReach(length)) {
            return;
        }
        boolean canFit = length + length / 2 <= replies.part().bytesMax();
        if (!canFit || !queries.tryReserve(length)) {
            throw refusal(length);
        }
        try {
            long began = call.elapsedNanos();
            while (!tryReach(length)) {
                call.interruption().check();
                if (call.elapsedNanos() - began > WAIT_NANOS_MAX) {
                    throw refusal(length);
                }
                call.interruption().park(this, LOOK_NANOS);
            }
        } finally {
            queries.release(length);
        }
    }

    /** Whether a reply that is complete may be sent: what surrounds documents that were let in cannot keep them back. */
    boolean tryComplete(long length) {
        long missing = length <= FREE_BYTES ? 0 : length + length / 2 - replies.bytes();
        if (replies.bytes() > 0 && missing > 0 && missing <= FREE_BYTES) {
            replies.take(missing);
            return true;
        }
        return tryReach(length);
    }

    CommandException refusal(long length) {
        return replies.part().refusal(ErrorCode.ExceededMemoryLimit, "A reply of " + length + " bytes");
    }

    /** To be closed when the reply has left. */
    Reservation held() {
        return replies;
    }
}
