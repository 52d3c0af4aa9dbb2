package dev.semel.store.rocks;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts the calls that are inside the native library, so that it is not torn down under one: that would end the process
 * instead of the call. Counted in several places, for every read of every thread comes by here.
 */
final class Usage {
    static final int CLOSED = 0;

    private static final int STRIPES = 16;

    /** Keeps the counters on cache lines of their own. */
    private static final int SPACING = 16;

    private static final long RECHECK_NANOS = 100_000;

    private final AtomicLongArray inside = new AtomicLongArray((STRIPES + 1) * SPACING);
    private volatile boolean closed;

    /** To be handed to {@link #exit}. */
    int enter() {
        int ticket = tryEnter();
        if (ticket == CLOSED) {
            throw new IllegalStateException("the store is closed");
        }
        return ticket;
    }

    /** {@link #CLOSED}, or the token for {@link #exit}. */
    int tryEnter() {
        int stripe = (((int) Thread.currentThread().threadId() & (STRIPES - 1)) + 1) * SPACING;
        inside.incrementAndGet(stripe);
        if (closed) {
            exit(stripe);
            return CLOSED;
        }
        return stripe;
    }

    void exit(int stripe) {
        inside.decrementAndGet(stripe);
    }

    /** Refuses further uses and waits for the present ones; false if that has been done before. */
    boolean close() {
        if (closed) {
            return false;
        }
        closed = true;
        for (int i = 1; i <= STRIPES; i++) {
            while (inside.get(i * SPACING) != 0) {
                LockSupport.parkNanos(RECHECK_NANOS);
            }
        }
        return true;
    }
}
