package dev.semel.server.net;

import dev.semel.wire.memory.MemoryPart;
import dev.semel.wire.message.MessageReader;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What the requests of one connection take. A client whose message finds no room is read no further until there is some,
 * for a limited time; then its connection ends, which gives back what it has.
 */
final class RequestMemory implements MessageReader.Memory {
    private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);
    private static final long SLICE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Who may have to go beyond the limit looks more often whether it is its turn: all of them may wait for nothing else. */
    private static final long TURN_SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Larger ones leave room for those that are not. */
    private static final long LARGE_BYTES = 256 << 10;

    private final MemoryPart part;
    private final Semaphore beyond;
    private final BooleanSupplier isClosing;
    private final LongSupplier nanoTime;

    /** Since when it has had something; 0 if it has nothing. */
    private volatile long sinceNanos;

    private long bytes;

    private boolean mayGoBeyond;

    /**
     * @param beyond of one permit, which all connections share: its holder may go beyond the part's limit, though not the
     *     account's. Large messages hold what has come of them while they wait for the rest, so several would wait for each other
     */
    RequestMemory(MemoryPart part, Semaphore beyond, BooleanSupplier isClosing, LongSupplier nanoTime) {
        this.part = part;
        this.beyond = beyond;
        this.isClosing = isClosing;
        this.nanoTime = nanoTime;
    }

    /** How long a message has been taking memory. */
    long heldNanos() {
        long since = sinceNanos;
        return since == 0 ? 0 : nanoTime.getAsLong() - since;
    }

    @Override
    public void reserve(long more) throws IOException {
        long began = nanoTime.getAsLong();
        if (bytes == 0) {
            sinceNanos = Math.max(1, began);
        }
        long max = part.bytesMax();
        boolean isLarge = bytes + more > LARGE_BYTES;
        while (!tryReserve(more, isLarge, leaving(more, max, isLarge))) {
            if (more > max || nanoTime.getAsLong() - began > WAIT_NANOS_MAX || isClosing.getAsBoolean()) {
                stayWithinIfEmpty();
                throw new IOException(
                        "no memory for a request of " + (bytes + more) + " bytes within " + part.parameter());
            }
            mayGoBeyond = mayGoBeyond || (isLarge && beyond.tryAcquire());
        }
        bytes += more;
    }

    /** What is left of the part. Small requests have as much room as ever while a large one is beyond it. */
    private long leaving(long more, long max, boolean isLarge) {
        if (mayGoBeyond) {
            return -more;
        }
        if (isLarge) {
            return Math.clamp(max - bytes - more, 0, max / 4);
        }
        return beyond.availablePermits() == 0 ? -max : 0;
    }

    private void stayWithinIfEmpty() {
        if (bytes == 0 && mayGoBeyond) {
            mayGoBeyond = false;
            beyond.release();
        }
    }

    private boolean tryReserve(long wanted, boolean isLarge, long leaving) throws IOException {
        try {
            return part.tryReserve(wanted, isLarge, leaving, isLarge && !mayGoBeyond ? TURN_SLICE_NANOS : SLICE_NANOS);
        } catch (InterruptedException e) {
            stayWithinIfEmpty();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void release(long fewer) {
        part.release(fewer);
        bytes -= fewer;
        if (bytes == 0) {
            sinceNanos = 0;
        }
        stayWithinIfEmpty();
    }
}
