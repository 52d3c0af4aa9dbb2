package dev.semel.wire.memory;

import java.util.concurrent.TimeUnit;

/**
 * What one holder has of a {@link MemoryPart}. It reserves in steps larger than it is asked for, so that many small
 * additions cost little. For one thread at a time; closing releases all of it, and is needed on every way out.
 */
public final class Reservation implements AutoCloseable {
    private static final long STEP_BYTES_MAX = 64 << 10;

    private static final long WAIT_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final MemoryPart part;

    /** Asked for; not above what is reserved. */
    private long bytes;

    private long reserved;

    Reservation(MemoryPart part) {
        this.part = part;
    }

    /** False if there is no room for that many more bytes; then nothing has changed. */
    public boolean tryGrow(long more) {
        boolean hasGrown = growIfFree(more);
        if (!hasGrown) {
            part.refused();
        }
        return hasGrown;
    }

    /** The same for callers that have another way, so that it is not counted as a refusal yet. */
    public boolean growIfFree(long more) {
        long wanted = bytes + more;
        if (!tryReach(wanted)) {
            return false;
        }
        bytes = wanted;
        return true;
    }

    /** The same, which waits for others to release something. */
    public boolean tryGrow(long more, long nanosMax) throws InterruptedException {
        long wanted = bytes + more;
        if (!tryReach(wanted)) {
            boolean isLarge = wanted > MemoryPart.LARGE_BYTES;
            if (!part.tryReserve(wanted - reserved, isLarge, isLarge ? part.leftToSmall() : 0, nanosMax)) {
                return false;
            }
            reserved = wanted;
        }
        bytes = wanted;
        return true;
    }

    private boolean tryReach(long wanted) {
        if (wanted <= reserved) {
            return true;
        }
        // A small holder stays small: the step is at most what it has already.
        long step = Math.min(STEP_BYTES_MAX, bytes);
        boolean isLarge = wanted > MemoryPart.LARGE_BYTES;
        if (part.reserveIfFree(wanted + step - reserved, isLarge)) {
            reserved = wanted + step;
        } else if (part.reserveIfFree(wanted - reserved, isLarge)) {
            reserved = wanted;
        } else {
            return false;
        }
        return true;
    }

    /** Whether it would still be a small holder with that many more bytes: large ones leave room to those. */
    public boolean isSmallWith(long more) {
        return bytes + more <= MemoryPart.LARGE_BYTES;
    }

    /** For what cannot be made smaller: false only if the part is full already. */
    public boolean takeIfNotFull(long more) {
        long wanted = bytes + more;
        if (wanted > reserved) {
            if (!part.takeIfNotFull(wanted - reserved)) {
                return false;
            }
            reserved = wanted;
        }
        bytes = wanted;
        return true;
    }

    /**
     * The same, which waits for others to release something.
     *
     * @param checkpoint called repeatedly meanwhile; throws to end the wait
     */
    public boolean takeWithin(long more, long nanosMax, Runnable checkpoint) {
        return reachWithin(more, nanosMax, checkpoint, true);
    }

    /** {@link #tryGrow(long)}, which waits and can be ended in the same way. */
    public boolean growWithin(long more, long nanosMax, Runnable checkpoint) {
        return reachWithin(more, nanosMax, checkpoint, false);
    }

    private boolean reachWithin(long more, long nanosMax, Runnable checkpoint, boolean mayExceed) {
        try {
            for (long waited = 0; waited < nanosMax; waited += WAIT_STEP_NANOS) {
                checkpoint.run();
                if (tryGrow(more, WAIT_STEP_NANOS) || (mayExceed && takeIfNotFull(more))) {
                    return true;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            checkpoint.run();
        }
        return false;
    }

    /** For what cannot be refused any more. */
    public void take(long more) {
        bytes += more;
        if (bytes > reserved) {
            part.take(bytes - reserved);
            reserved = bytes;
        }
    }

    public void shrink(long fewer) {
        bytes -= fewer;
        long spare = reserved - bytes;
        if (spare > 2 * STEP_BYTES_MAX) {
            part.release(spare - STEP_BYTES_MAX);
            reserved = bytes + STEP_BYTES_MAX;
        }
    }

    public long bytes() {
        return bytes;
    }

    public MemoryPart part() {
        return part;
    }

    /** Releases everything; the reservation may be used again. */
    @Override
    public void close() {
        part.release(reserved);
        reserved = 0;
        bytes = 0;
    }
}
