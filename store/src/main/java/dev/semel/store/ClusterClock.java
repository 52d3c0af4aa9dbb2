package dev.semel.store;

import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The hybrid clock of cluster times: seconds in the upper half, a counter in the lower. Every time it hands out is above
 * all before, whatever the wall clock does. Cluster times compare unsigned, or 2038 would be their end.
 */
final class ClusterClock {
    /** So much later than all others are the times that are kept for a commit. */
    private static final long SECONDS_AHEAD = 1;

    private final InstantSource clock;
    private final AtomicLong last;
    private final ReentrantLock lock = new ReentrantLock();

    /** The first of the times that are kept; 0 if none are. Guarded by the lock. */
    private long kept;

    /** What has been seen of the times from there on; guarded by the lock. */
    private long observed;

    ClusterClock(InstantSource clock, long last) {
        this.clock = clock;
        this.last = new AtomicLong(last);
    }

    /** Hands out that many consecutive times, and returns the last one. */
    long next(int times) {
        lock.lock();
        try {
            long now = now();
            long before = last.get();
            boolean isLater = Long.compareUnsigned(now, before) > 0 && !isKept(now);
            return set((isLater ? now : before + 1) + times - 1);
        } finally {
            lock.unlock();
        }
    }

    private long now() {
        return (clock.instant().getEpochSecond() << 32) | 1;
    }

    private boolean isKept(long time) {
        return kept != 0 && Long.compareUnsigned(time, kept) >= 0;
    }

    private long set(long time) {
        last.set(time);
        return time;
    }

    /**
     * Keeps a time, and all that follow it, for a commit that is being prepared: until it takes them or they are freed, others
     * get earlier ones, however late it becomes. For one commit at a time.
     */
    long keepAhead() {
        lock.lock();
        try {
            long newest = Long.compareUnsigned(now(), last.get()) > 0 ? now() : last.get();
            kept = (((newest >>> 32) + SECONDS_AHEAD) << 32) | 1;
            observed = 0;
            return kept;
        } finally {
            lock.unlock();
        }
    }

    /** Hands out that many of the times that are kept, and returns the last one. */
    long takeKept(int times) {
        lock.lock();
        try {
            if (kept == 0) {
                throw new IllegalStateException("no times are kept");
            }
            long time = set(kept + times - 1);
            free();
            return time;
        } finally {
            lock.unlock();
        }
    }

    /** Nobody takes those that are kept; does nothing if there are none. */
    void free() {
        lock.lock();
        try {
            kept = 0;
            long seen = observed;
            observed = 0;
            if (Long.compareUnsigned(seen, last.get()) > 0) {
                last.set(seen);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * A client or another member has seen this time, so later events get later times; where such times are kept, those that
     * come after the commit they are kept for.
     */
    void observe(long clusterTime) {
        if (Long.compareUnsigned(clusterTime, last.get()) <= 0) {
            return;
        }
        lock.lock();
        try {
            if (isKept(clusterTime)) {
                observed = Long.compareUnsigned(clusterTime, observed) > 0 ? clusterTime : observed;
            } else if (Long.compareUnsigned(clusterTime, last.get()) > 0) {
                last.set(clusterTime);
            }
        } finally {
            lock.unlock();
        }
    }
}
