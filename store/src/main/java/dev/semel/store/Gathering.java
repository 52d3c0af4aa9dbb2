package dev.semel.store;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Whether a commit lets other virtual threads run before it is written, so that theirs come into the same group: the engine
 * then writes once for all of them. Its locks are held for that long, so where statements meet each other's locks, commits do
 * not wait for each other.
 */
final class Gathering {
    /** So many commits are written at once after a statement has met a lock of another. */
    static final int COMMITS_AFTER_CONFLICT = 1024;

    private final LongSupplier conflicts;
    private final AtomicLong seenConflicts = new AtomicLong();
    private final AtomicInteger left = new AtomicInteger();

    /** With the number of locks up to now that were not free. */
    Gathering(LongSupplier conflicts) {
        this.conflicts = conflicts;
    }

    /** Asked once for each commit. */
    boolean isWorthwhile() {
        long now = conflicts.getAsLong();
        if (now != seenConflicts.get()) {
            seenConflicts.set(now);
            left.set(COMMITS_AFTER_CONFLICT);
            return false;
        }
        return left.get() <= 0 || left.decrementAndGet() < 0;
    }
}
