package dev.semel.store;

import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A cluster time that only increases, and the threads that wait for it. */
public final class TimeGate {
    private volatile long reached;
    private volatile @Nullable Throwable broken;
    private final Queue<Waiter> waiters = new ConcurrentLinkedQueue<>();

    private record Waiter(long clusterTime, Thread thread) {}

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
                    LockSupport.unpark(each.thread);
                }
            }
        }
    }

    /** It will not rise any more: who waits is told a {@link CommandException}, or that the log has failed. */
    public void fail(Throwable cause) {
        broken = cause;
        for (Waiter each : waiters) {
            LockSupport.unpark(each.thread);
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
        Waiter waiter = new Waiter(clusterTime, Thread.currentThread());
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
