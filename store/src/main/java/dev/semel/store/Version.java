package dev.semel.store;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * An engine snapshot bound to the cluster time of the newest commit in it: the pair is made once, by the committer, so
 * no reader can see data and a time that do not belong together. Counted, because many readers share it.
 */
final class Version {
    final Snapshot engine;
    final long clusterTime;
    final long createdNanos;

    /** Somebody knows its time, from a read that was to be repeatable. */
    volatile boolean isNamed;

    private final AtomicInteger users = new AtomicInteger(1);

    Version(Snapshot engine, long clusterTime, long createdNanos) {
        this.engine = engine;
        this.clusterTime = clusterTime;
        this.createdNanos = createdNanos;
    }

    /** False if the last user has gone already. */
    boolean tryAcquire() {
        int now;
        do {
            now = users.get();
            if (now == 0) {
                return false;
            }
        } while (!users.compareAndSet(now, now + 1));
        return true;
    }

    /** For somebody who knows that it is still in use, by himself for instance. */
    Version acquire() {
        if (!tryAcquire()) {
            throw new IllegalStateException("the snapshot is closed");
        }
        return this;
    }

    void release() {
        if (users.decrementAndGet() == 0) {
            engine.close();
        }
    }
}
