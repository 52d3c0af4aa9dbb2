package dev.semel.store;

import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A cluster time that only increases, and who waits for it. */
public final class TimeGate {
    private volatile long reached;
    private volatile @Nullable Throwable broken;
    private final Queue<Waiter> waiters = new ConcurrentLinkedQueue<>();

    /** Compared by identity: each is one wait. */
    private static final class Waiter {
        private final long clusterTime;
        private final Runnable wake;

        /** Whether it is gone when it has been woken; others take themselves away. */
        private final boolean isWokenOnce;

        Waiter(long clusterTime, Runnable wake, boolean isWokenOnce) {
            this.clusterTime = clusterTime;
            this.wake = wake;
            this.isWokenOnce = isWokenOnce;
        }
    }

    public TimeGate(long reached) {
        this.reached = reached;
    }

    public long reached() {
        return reached;
    }

    public boolean hasReached(long clusterTime) {
        return Long.compareUnsigned(reached, clusterTime) >= 0;
    }

    /** By one thread. */
    public void advance(long clusterTime) {
        reached = clusterTime;
        if (!waiters.isEmpty()) {
            for (Waiter each : waiters) {
                if (hasReached(each.clusterTime)) {
                    wake(each);
                }
            }
        }
    }

    private void wake(Waiter waiter) {
        if (!waiter.isWokenOnce || waiters.remove(waiter)) {
            waiter.wake.run();
        }
    }

    /** It will not rise any more: who waits is told a {@link CommandException}, or that the log has failed. */
    public void fail(Throwable cause) {
        broken = cause;
        waiters.forEach(this::wake);
    }

    /** Returns at once; {@code wake} is called once, from any thread, when the time has come or never will. */
    public void whenReached(long clusterTime, Runnable wake) {
        Waiter waiter = new Waiter(clusterTime, wake, true);
        waiters.add(waiter);
        if (hasReached(clusterTime) || broken != null) {
            // It may have been missed.
            wake(waiter);
        }
    }

    public void await(long clusterTime, Interruption interruption) {
        await(clusterTime, interruption, () -> Long.MAX_VALUE);
    }

    /** The same for a limited time; whether the cluster time has come. */
    public boolean await(long clusterTime, Interruption interruption, LongSupplier remainingNanos) {
        if (hasReached(clusterTime)) {
            return true;
        }
        Thread self = Thread.currentThread();
        Waiter waiter = new Waiter(clusterTime, () -> LockSupport.unpark(self), false);
        waiters.add(waiter);
        try {
            while (!hasReached(clusterTime)) {
                Throwable cause = broken;
                if (cause instanceof CommandException told) {
                    throw new CommandException(told.code(), "%s", told.text());
                }
                if (cause != null) {
                    throw new IllegalStateException("the commit log has failed", cause);
                }
                interruption.check();
                if (Thread.currentThread().isInterrupted()) {
                    throw new CommandException(ErrorCode.Interrupted, "operation was interrupted");
                }
                long nanos = remainingNanos.getAsLong();
                if (nanos <= 0) {
                    return false;
                }
                interruption.park(this, nanos);
            }
            return true;
        } finally {
            waiters.remove(waiter);
        }
    }
}
