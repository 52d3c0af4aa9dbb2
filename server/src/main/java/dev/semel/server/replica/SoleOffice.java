package dev.semel.server.replica;

import dev.semel.wire.CommandException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the only member of a set is its primary: from the start, except for the time for which it was made to step down. Nobody else
 * can be elected meanwhile, so its term and its data stay as they are.
 */
final class SoleOffice implements AutoCloseable {
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final Runnable onChange;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Set before the first command. */
    private Replication.@Nullable Duties duties;

    private volatile boolean isHeld = true;
    private volatile Instant since;

    // guarded by the lock
    private long returnNanos;
    private boolean isClosed;

    /** @param onChange called when what {@link #isHeld} says has changed */
    SoleOffice(InstantSource clock, LongSupplier nanoTime, Runnable onChange) {
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.onChange = onChange;
        since = clock.instant();
    }

    void begin(Replication.Duties ofThisNode) {
        duties = ofThisNode;
    }

    boolean isHeld() {
        return isHeld;
    }

    /** When it became primary, for the last time. */
    Instant since() {
        return since;
    }

    /** Steps down for so long. Returns when clients can write no more; whether it was primary until now. */
    boolean leave(Duration period) {
        lock.lock();
        try {
            if (!isHeld || isClosed || duties == null) {
                return false;
            }
            isHeld = false;
            returnNanos = nanoTime.getAsLong() + period.toNanos();
            onChange.run();
            duties.giveUp();
            Thread.ofVirtual().name("semel-stepped-down").start(this::awaitReturn);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** It becomes primary again when this time is over, not when the one it stepped down for is. */
    void returnAfter(Duration period) {
        lock.lock();
        try {
            returnNanos = nanoTime.getAsLong() + period.toNanos();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void awaitReturn() {
        lock.lock();
        try {
            long left = returnNanos - nanoTime.getAsLong();
            while (left > 0 && !isClosed) {
                long unused = changed.awaitNanos(left);
                // It may have been told another time.
                left = returnNanos - nanoTime.getAsLong();
            }
            while (!isClosed && !isHeld) {
                if (takesOver()) {
                    since = clock.instant();
                    isHeld = true;
                    onChange.run();
                } else {
                    long unused = changed.awaitNanos(RETRY_NANOS);
                }
            }
        } catch (InterruptedException e) {
            // Nobody does that; whoever would wants this to end.
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** False if a command that was ended when this member stepped down still holds a lock. */
    private boolean takesOver() {
        try {
            Objects.requireNonNull(duties).takeOver();
            return true;
        } catch (CommandException e) {
            return false;
        }
    }

    /** It stays what it is. */
    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
