package dev.semel.wire.memory;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What large values take while statements work on them: read, decoded, changed, copied into others. A statement draws as much as
 * the largest value that it has met demands, once, and gives it back at its end; while there is no room, it waits before it
 * reads. Small values cost a comparison. For any thread; a statement runs on one thread.
 *
 * <pre>{@code
 * try (LargeValues.Statement ignored = largeValues.begin(checkpoint)) {
 *     byte[] value = largeValues.held(read(key), () -> read(key));
 * }
 * }</pre>
 */
public final class LargeValues {
    private static final int LARGE_BYTES = 1 << 20;

    /** The value, what is being made of it, and the array of twice the size into which that grows. */
    private static final int COPIES = 3;

    private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final MemoryPart part;

    /** Not static: servers in one process have nothing in common. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Statement> current = new ThreadLocal<>();

    public LargeValues(MemoryPart part) {
        this.part = part;
    }

    /** For stores and tools that no client uses. */
    public static LargeValues unlimited() {
        return new LargeValues(MemoryAccount.unlimited().part("largeValues", "", () -> Long.MAX_VALUE));
    }

    /**
     * What the calling thread reads from now on is read by this statement. Reads outside a statement are not counted.
     *
     * @param checkpoint called repeatedly while the statement waits; throws to end that
     */
    public Statement begin(Runnable checkpoint) {
        Statement begun = new Statement(checkpoint, current.get());
        current.set(begun);
        return begun;
    }

    /** The thread is about to wait for something else than memory, and has no value in hand. */
    public void release() {
        Statement statement = current.get();
        if (statement != null) {
            statement.release();
        }
    }

    public static boolean isLarge(long length) {
        return length > LARGE_BYTES;
    }

    /**
     * A value that has been read, with the memory for it. If there is none yet, the value is given up, so that nothing is held
     * while the statement waits, and read once more.
     */
    public byte @Nullable [] held(byte @Nullable [] read, Supplier<byte @Nullable []> again) {
        if (read == null || !isLarge(read.length)) {
            return read;
        }
        Statement statement = current.get();
        if (statement == null || statement.tryHold(read.length)) {
            return read;
        }
        return statement.readAgain(read.length, again);
    }

    /** Before a value of this length is read: waits until there is memory for it. */
    public void hold(int length) {
        Statement statement = isLarge(length) ? current.get() : null;
        if (statement != null) {
            statement.hold(length);
        }
    }

    /** Of one thread, from {@link #begin} on. */
    public final class Statement implements AutoCloseable {
        private final Runnable checkpoint;
        private final @Nullable Statement outer;
        private long reserved;

        private Statement(Runnable checkpoint, @Nullable Statement outer) {
            this.checkpoint = checkpoint;
            this.outer = outer;
        }

        private long missing(int length) {
            return COPIES * HeapBytes.ofArray(length) - reserved;
        }

        private boolean tryHold(int length) {
            long missing = missing(length);
            if (missing <= 0) {
                return true;
            }
            if (!part.reserveIfFree(missing, true, leaving(missing))) {
                return false;
            }
            reserved += missing;
            return true;
        }

        /**
         * As long as others have left any room: at most one goes beyond the limit, or the largest would never get on. What it
         * has itself does not count, or one beyond the limit would wait for itself when it comes to a larger value.
         */
        private long leaving(long missing) {
            return 1 - missing - reserved;
        }

        private void hold(int length) {
            long missing = missing(length);
            if (missing <= 0) {
                return;
            }
            try {
                for (long waited = 0;
                        !part.tryReserve(missing, true, leaving(missing), SLICE_NANOS);
                        waited += SLICE_NANOS) {
                    checkpoint.run();
                    if (waited >= WAIT_NANOS_MAX) {
                        throw part.refusal(
                                ErrorCode.ExceededMemoryLimit,
                                "What all statements hold with a value of " + length + " bytes");
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                checkpoint.run();
                throw new CommandException(ErrorCode.Interrupted, "operation was interrupted");
            }
            reserved += missing;
        }

        private byte @Nullable [] readAgain(int length, Supplier<byte @Nullable []> again) {
            hold(length);
            return again.get();
        }

        private void release() {
            part.release(reserved);
            reserved = 0;
        }

        @Override
        public void close() {
            release();
            if (outer == null) {
                current.remove();
            } else {
                current.set(outer);
            }
        }
    }
}
