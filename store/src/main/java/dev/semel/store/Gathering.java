package dev.semel.store;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Whether a commit lets other virtual threads run before it is written, so that theirs come into the same group: the engine
 * then writes once for all of them. Its locks are held for that long, so where statements wait for locks, commits do not
 * wait for each other.
 */
final class Gathering {
    /** So many commits are written at once after a statement has had to wait for a lock. */
    static final int COMMITS_AFTER_WAIT = 1024;

    private final LongSupplier lockWaits;
    private final AtomicLong seenWaits = new AtomicLong();
    private final AtomicInteger left = new AtomicInteger();

    /** With the number of waits for locks up to now. */
    Gathering(LongSupplier lockWaits) {
        this.lockWaits = lockWaits;
    }

    /** Asked once for each commit. */
    boolean isWorthwhile() {
        long waits = lockWaits.getAsLong();
        if (waits != seenWaits.get()) {
            seenWaits.set(waits);
            left.set(COMMITS_AFTER_WAIT);
            return false;
        }
        return left.get() <= 0 || left.decrementAndGet() < 0;
    }
}
