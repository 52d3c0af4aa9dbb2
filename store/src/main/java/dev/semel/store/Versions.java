package dev.semel.store;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The newest visible version, and those of a while before it for reads at a cluster time. A commit group is visible as a
 * whole and leaves one version, named by its last cluster time. Only so many are kept, because each keeps what later
 * commits have replaced; those whose time somebody was told stay for the whole window.
 */
final class Versions implements AutoCloseable {
    private final LongSupplier nanoTime;
    private final Supplier<TransactionOptions> options;
    private final ReentrantLock lock = new ReentrantLock();

    /** Oldest first, the newest included; guarded by the lock. */
    private final Deque<Version> retained = new ArrayDeque<>();

    /** Older than all of those, but named to somebody who may come back for them; oldest first, guarded by the lock. */
    private final Deque<Version> named = new ArrayDeque<>();

    private final TimeGate visible;
    private volatile Version newest;

    /** Below this time only what was named can be read; guarded by the lock. */
    private long forgottenBelow;

    Versions(Snapshot first, LongSupplier nanoTime, Supplier<TransactionOptions> options) {
        this.nanoTime = nanoTime;
        this.options = options;
        this.newest = new Version(first, first.clusterTime(), nanoTime.getAsLong());
        this.retained.add(newest);
        this.forgottenBelow = newest.clusterTime;
        this.visible = new TimeGate(newest.clusterTime);
    }

    /** Time of the newest version, to be waited for. */
    TimeGate visible() {
        return visible;
    }

    Version acquireNewest() {
        while (true) {
            Version version = newest;
            if (version.tryAcquire()) {
                return version;
            }
        }
    }

    /** The newest, for somebody who will be told its time and may ask for it again as long as the window lasts. */
    Version acquireNamed() {
        Version version = acquireNewest();
        version.isNamed = true;
        return version;
    }

    boolean isNewest(Version version) {
        return version == newest;
    }

    /** By the committer alone, in commit order. */
    void publish(Snapshot engine) {
        Version version = new Version(engine, engine.clusterTime(), nanoTime.getAsLong());
        lock.lock();
        try {
            retained.addLast(version);
            newest = version;
            forget();
        } finally {
            lock.unlock();
        }
        visible.advance(version.clusterTime);
    }

    /**
     * The first version that shows everything up to this time. A time inside a commit group becomes the group's end; all
     * times that replies carry are such ends already.
     */
    Version acquireAt(long clusterTime) {
        lock.lock();
        try {
            forget();
            if (Long.compareUnsigned(clusterTime, newest.clusterTime) > 0) {
                throw new CommandException(
                        ErrorCode.SnapshotUnavailable, "Read timestamp %s is in the future", text(clusterTime));
            }
            if (Long.compareUnsigned(clusterTime, forgottenBelow) >= 0) {
                for (Version each : retained) {
                    if (Long.compareUnsigned(each.clusterTime, clusterTime) >= 0) {
                        each.isNamed = true;
                        return each.acquire();
                    }
                }
            }
            for (Version each : named) {
                if (each.clusterTime == clusterTime) {
                    return each.acquire();
                }
            }
        } finally {
            lock.unlock();
        }
        throw new CommandException(
                ErrorCode.SnapshotTooOld,
                "Read timestamp %s is older than the oldest available timestamp %s",
                text(clusterTime),
                text(forgottenBelow));
    }

    private static String text(long clusterTime) {
        return "Timestamp(%d, %d)".formatted(clusterTime >>> 32, clusterTime & 0xFFFF_FFFFL);
    }

    int retainedCount() {
        lock.lock();
        try {
            return retained.size() + named.size();
        } finally {
            lock.unlock();
        }
    }

    private void forget() {
        TransactionOptions limits = options.get();
        long oldestNanos = nanoTime.getAsLong() - limits.snapshotWindow().toNanos();
        while (!named.isEmpty()
                && (named.size() > limits.snapshotsMax() || named.getFirst().createdNanos - oldestNanos < 0)) {
            named.removeFirst().release();
        }
        // A version ends where the next begins, so it is the next one's age that counts.
        while (retained.size() > 1) {
            Version oldest = retained.removeFirst();
            Version next = retained.getFirst();
            boolean isRecent = next.createdNanos - oldestNanos > 0;
            if (isRecent && retained.size() < limits.snapshotsMax()) {
                retained.addFirst(oldest);
                return;
            }
            forgottenBelow = oldest.clusterTime + 1;
            if (isRecent && oldest.isNamed) {
                named.addLast(oldest);
            } else {
                oldest.release();
            }
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            named.forEach(Version::release);
            named.clear();
            retained.forEach(Version::release);
            retained.clear();
        } finally {
            lock.unlock();
        }
    }
}
