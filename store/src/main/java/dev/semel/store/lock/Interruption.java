package dev.semel.store.lock;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.thread.MustWait;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When an operation has to stop: at its deadline ({@code maxTimeMS}), or because it was killed ({@code killOp}, a
 * disconnected client). The operation asks with {@link #check} at intervals of a few keys, and every wait of this module asks.
 */
public final class Interruption {
    private static final long NEVER = Long.MAX_VALUE;

    private final LongSupplier nanoTime;
    private final boolean limited;
    private final long deadlineNanos;
    private volatile @Nullable CommandException killed;
    private volatile @Nullable Thread waiting;

    /** For locks, by the statement that runs; touched by the operation's thread alone. */
    private long waitedNanos;

    private Interruption(LongSupplier nanoTime, boolean limited, long deadlineNanos) {
        this.nanoTime = nanoTime;
        this.limited = limited;
        this.deadlineNanos = deadlineNanos;
    }

    /** The deadline is a value of the given time source. */
    public static Interruption at(LongSupplier nanoTime, long deadlineNanos) {
        return new Interruption(nanoTime, true, deadlineNanos);
    }

    /** Only {@link #kill} stops it. */
    public static Interruption unlimited() {
        return new Interruption(() -> 0, false, 0);
    }

    /** From any thread. The operation fails with this as soon as it looks; a wait ends at once. The first kill counts. */
    public void kill(CommandException why) {
        if (killed == null) {
            killed = why;
        }
        Thread thread = waiting;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    public boolean isKilled() {
        return killed != null;
    }

    /** Throws what the operation is to fail with, if it is to stop. */
    public void check() {
        CommandException why = killed;
        if (why != null) {
            throw why;
        }
        if (remainingNanos() <= 0) {
            throw new CommandException(ErrorCode.MaxTimeMSExpired, "operation exceeded time limit");
        }
    }

    /** Until the deadline; not positive when it has passed. */
    public long remainingNanos() {
        return limited ? deadlineNanos - nanoTime.getAsLong() : NEVER;
    }

    /** How long the statement has waited for locks whose waiting is limited, however often it has begun again. */
    long waitedNanos() {
        return waitedNanos;
    }

    void waited(long nanos) {
        waitedNanos += nanos;
    }

    /** The operation's next statement may wait as long as the first. Not to be called when one begins again. */
    public void nextStatement() {
        waitedNanos = 0;
    }

    /**
     * Parks the calling thread, which must be the operation's, for at most this long or until unparked, killed or due.
     * Like every park it may return early.
     */
    public void park(Object blocker, long nanosMax) {
        MustWait.check();
        waiting = Thread.currentThread();
        try {
            if (killed == null) {
                long nanos = Math.min(nanosMax, remainingNanos());
                if (nanos == NEVER) {
                    LockSupport.park(blocker);
                } else if (nanos > 0) {
                    LockSupport.parkNanos(blocker, nanos);
                }
            }
        } finally {
            waiting = null;
        }
    }
}
