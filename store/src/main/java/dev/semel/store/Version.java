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

    /** Of the first of the commits that it shows more than the version before: they became visible together. */
    final long firstTime;

    final long createdNanos;

    /** A client knows its time, from a read that has to be repeatable. */
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

    Version(Snapshot engine, long firstTime, long createdNanos, long heapBytes) {
        this.engine = engine;
        this.clusterTime = engine.clusterTime();
        this.firstTime = firstTime;
        this.createdNanos = createdNanos;
        this.heapBytes = heapBytes;
    }

    /** What this alone keeps in the heap, at most. */
    long keptBytes() {
        return Math.min(churnBytes, heapBytes);
    }

    /** Whether only the list of versions refers to it. */
    boolean isIdle() {
        return users.get() <= 1;
    }

    boolean isGone() {
        return users.get() == 0;
    }

    /** Releases the data, even if it is still in use: reads from here on fail with an error that says so. */
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

    /** For a caller that knows that it is still in use, for example because it uses it. */
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
