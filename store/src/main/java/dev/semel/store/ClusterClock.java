package dev.semel.store;

import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The hybrid clock of cluster times: seconds in the upper half, a counter in the lower. Every time it hands out is above
 * all before, whatever the wall clock does. Cluster times compare unsigned, or 2038 would be their end.
 */
final class ClusterClock {
    private final InstantSource clock;
    private final AtomicLong last;

    ClusterClock(InstantSource clock, long last) {
        this.clock = clock;
        this.last = new AtomicLong(last);
    }

    /** Hands out that many consecutive times, and returns the last one. */
    long next(int times) {
        long now = (clock.instant().getEpochSecond() << 32) | 1;
        return last.updateAndGet(before -> (Long.compareUnsigned(now, before) > 0 ? now : before + 1) + times - 1);
    }

    /** A client or another member has seen this time, so later events get later times. */
    void observe(long clusterTime) {
        last.updateAndGet(before -> Long.compareUnsigned(clusterTime, before) > 0 ? clusterTime : before);
    }
}
