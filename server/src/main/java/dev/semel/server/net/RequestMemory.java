package dev.semel.server.net;

import dev.semel.wire.memory.MemoryPart;
import dev.semel.wire.message.MessageReader;
import java.io.IOException;
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

    /** Larger ones leave room for those that are not. */
    private static final long LARGE_BYTES = 256 << 10;

    private final MemoryPart part;
    private final BooleanSupplier isClosing;
    private final LongSupplier nanoTime;

    /** Since when it has had something; 0 if it has nothing. */
    private volatile long sinceNanos;

    private long bytes;

    RequestMemory(MemoryPart part, BooleanSupplier isClosing, LongSupplier nanoTime) {
        this.part = part;
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
        long leaving = isLarge ? Math.clamp(max - bytes - more, 0, max / 4) : 0;
        while (!tryReserve(more, isLarge, leaving)) {
            if (more > max || nanoTime.getAsLong() - began > WAIT_NANOS_MAX || isClosing.getAsBoolean()) {
                throw new IOException(
                        "no memory for a request of " + (bytes + more) + " bytes within " + part.parameter());
            }
        }
        bytes += more;
    }

    private boolean tryReserve(long wanted, boolean isLarge, long leaving) throws IOException {
        try {
            return part.tryReserve(wanted, isLarge, leaving, SLICE_NANOS);
        } catch (InterruptedException e) {
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
    }
}
