package dev.semel.store;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An engine snapshot bound to the cluster time of the newest commit in it: the pair is made once, by the committer, so
 * no reader can see data and a time that do not belong together. Counted, because many readers share it.
 */
final class Version {
    volatile Snapshot engine;
    final long clusterTime;
    final long createdNanos;

    /** Somebody knows its time, from a read that was to be repeatable. */
    volatile boolean isNamed;

    private final AtomicInteger users = new AtomicInteger(1);

    /** What all of it takes where the data is in the heap, else 0. */
    final long heapBytes;

    // Its place among those that keep something in the heap; guarded by the lock of the versions.
    @Nullable
    Version older;

    @Nullable
    Version newer;

    /** What has been replaced between this and the next newer one. */
    long churnBytes;

    Version(Snapshot engine, long clusterTime, long createdNanos, long heapBytes) {
        this.engine = engine;
        this.clusterTime = clusterTime;
        this.createdNanos = createdNanos;
        this.heapBytes = heapBytes;
    }

    /** What this alone keeps in the heap, at most. */
    long keptBytes() {
        return Math.min(churnBytes, heapBytes);
    }

    /** Whether nobody but the list of versions has it. */
    boolean isIdle() {
        return users.get() <= 1;
    }

    boolean isGone() {
        return users.get() == 0;
    }

    /** Lets go of the data, whoever still wants it: reads from here on are told. */
    void evict() {
        engine = new EvictedSnapshot(clusterTime);
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
