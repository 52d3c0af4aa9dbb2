package dev.semel.store;

import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Holds commits back while somebody copies the files of the database. Commits pass it together; who closes it waits for
 * those that are passing. It is closed as often as it has to be opened, by whomever: it belongs to no connection.
 */
public final class WriteBarrier {
    /** Of {@link #state}: how often it is closed; below are the commits that are passing. */
    private static final long CLOSED_ONCE = 1L << 32;

    private static final long LOOK_NANOS = 1_000_000;

    private final LongSupplier nanoTime;
    private final AtomicLong state = new AtomicLong();
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private volatile boolean isOpenForEver;

    private record Waiting(Thread thread, Interruption interruption) {}

    WriteBarrier(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Before a commit: waits while it is closed. */
    void enter(Interruption interruption) {
        while (!tryEnter()) {
            await(interruption);
        }
    }

    /**
     * Waits while it is closed. Statements do so before they lock anything to write it, so that hardly one of them is met
     * by {@link #enter} while it holds what others need.
     */
    void await(Interruption interruption) {
        if (!isClosed()) {
            return;
        }
        Waiting self = new Waiting(Thread.currentThread(), interruption);
        waiting.add(self);
        try {
            while (isClosed()) {
                interruption.check();
                interruption.park(this, Long.MAX_VALUE);
            }
            interruption.check();
        } finally {
            waiting.remove(self);
        }
    }

    private boolean tryEnter() {
        while (true) {
            long now = state.get();
            if (now >= CLOSED_ONCE && !isOpenForEver) {
                return false;
            }
            if (state.compareAndSet(now, now + 1)) {
                return true;
            }
        }
    }

    /** The position of the commit is fixed, or there is none. */
    void leave() {
        state.decrementAndGet();
    }

    /**
     * From now on commits wait.
     *
     * @return how often it is closed
     * @throws CommandException 24 (LockTimeout) if commits are still passing after this time
     */
    public int close(Interruption interruption, long nanosMax) {
        long end = nanoTime.getAsLong() + nanosMax;
        state.addAndGet(CLOSED_ONCE);
        boolean isClosed = false;
        try {
            while ((int) state.get() > 0) {
                interruption.check();
                if (nanoTime.getAsLong() >= end) {
                    throw new CommandException(ErrorCode.LockTimeout, "Fsync lock timed out");
                }
                interruption.park(this, LOOK_NANOS);
            }
            isClosed = true;
        } finally {
            if (!isClosed) {
                open();
            }
        }
        return timesClosed();
    }

    /**
     * Undoes one {@link #close}.
     *
     * @return how often it is still closed; -1 if it was not
     */
    public int open() {
        while (true) {
            long now = state.get();
            if (now < CLOSED_ONCE) {
                return -1;
            }
            if (state.compareAndSet(now, now - CLOSED_ONCE)) {
                int left = (int) ((now - CLOSED_ONCE) >> 32);
                if (left == 0) {
                    wake();
                }
                return left;
            }
        }
    }

    public int timesClosed() {
        return (int) (state.get() >> 32);
    }

    public boolean isClosed() {
        return timesClosed() > 0 && !isOpenForEver;
    }

    /** Whether the operation that can be interrupted by this waits to commit. */
    public boolean holdsBack(Interruption interruption) {
        return waiting.stream().anyMatch(each -> each.interruption == interruption);
    }

    /** Because the server stops: what was committed must be completed. */
    public void openForEver() {
        isOpenForEver = true;
        wake();
    }

    private void wake() {
        waiting.forEach(each -> LockSupport.unpark(each.thread));
    }
}
