package dev.semel.store;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.memory.MemoryPart;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The newest visible version, and those of a while before it for reads at a cluster time. A commit group is visible as a
 * whole and leaves one version, named by its last cluster time. Their number is limited, because each keeps what later
 * commits have replaced; those whose time is known to a client stay for the whole window.
 */
final class Versions implements AutoCloseable {
    /** How much more than idle versions those may keep that are being read. */
    private static final int IN_USE_SHARE = 3;

    private static final int LINKED_PER_SNAPSHOT = 4;

    /** The share of the part that is left to small writes. */
    private static final int LEFT_TO_SMALL = 8;

    private final LongSupplier nanoTime;
    private final Supplier<TransactionOptions> options;
    private final ReentrantLock lock = new ReentrantLock();

    /** Oldest first, the newest included; guarded by the lock. */
    private final Deque<Version> retained = new ArrayDeque<>();

    /** Older than all of those, but their times are known to clients, which may use them; oldest first, guarded by the lock. */
    private final Deque<Version> named = new ArrayDeque<>();

    private final TimeGate visible;
    private volatile Version newest;
    private volatile boolean isClosed;

    /** Below this time only what was named can be read; guarded by the lock. */
    private long forgottenBelow;

    private final @Nullable MemoryPart data;

    /** Of those that keep something in the heap, linked to the newest; guarded by the lock. */
    private Version oldest;

    /** What all of those keep, and how many they are; guarded by the lock. */
    private long keptBytes;

    private int linked = 1;

    /** What has been taken of the part; guarded by the lock. */
    private long takenBytes;

    /** With the part of the account that data in the heap and what old versions keep of it count for; null if it is not. */
    Versions(
            Snapshot first,
            long heapBytes,
            LongSupplier nanoTime,
            Supplier<TransactionOptions> options,
            @Nullable MemoryPart data) {
        this.nanoTime = nanoTime;
        this.options = options;
        this.data = data;
        this.newest = new Version(first, first.clusterTime(), nanoTime.getAsLong(), heapBytes);
        this.oldest = newest;
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
            // Else a newer one took its place.
            if (isClosed) {
                throw new CommandException(ErrorCode.InterruptedAtShutdown, "interrupted at shutdown");
            }
        }
    }

    /** The newest, for a client that learns its time and may read at it again as long as the window lasts. */
    Version acquireNamed() {
        Version version = acquireNewest();
        version.isNamed = true;
        return version;
    }

    boolean isNewest(Version version) {
        return version == newest;
    }

    /**
     * By the committer alone, in commit order.
     *
     * @param firstTime of the first commit that was not in the version before
     * @param heapBytes what the data takes where it is in the heap
     * @param replacedBytes how much of the heap only older versions keep because of this one
     */
    void publish(Snapshot engine, long firstTime, long heapBytes, long replacedBytes) {
        Version version = new Version(engine, firstTime, nanoTime.getAsLong(), heapBytes);
        lock.lock();
        try {
            retained.addLast(version);
            if (data != null) {
                link(version, replacedBytes);
            }
            newest = version;
            forget();
            if (data != null) {
                limitMemory(roomBeside(data, heapBytes));
                account(data, heapBytes + keptBytes);
            }
        } finally {
            lock.unlock();
        }
        visible.advance(version.clusterTime);
    }

    /**
     * The version that shows everything up to this time and nothing later, except where the time is inside a commit group: it
     * becomes the group's end then; all times that replies carry are such ends already.
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
                Version found = retainedAt(clusterTime);
                if (found != null) {
                    found.isNamed = true;
                    return found.acquire();
                }
            }
            // One that is read may be older than others that have gone.
            for (Deque<Version> some : List.of(retained, named)) {
                for (Version each : some) {
                    if (each.clusterTime == clusterTime) {
                        each.isNamed = true;
                        return each.acquire();
                    }
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

    /** Null if it is older than all. */
    private @Nullable Version retainedAt(long clusterTime) {
        Version before = null;
        for (Version each : retained) {
            if (Long.compareUnsigned(each.clusterTime, clusterTime) >= 0) {
                return Long.compareUnsigned(each.firstTime, clusterTime) <= 0 ? each : before;
            }
            before = each;
        }
        return before;
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

    /** Lets go of those that are too old, which publishing one does as well. */
    void forgetOld() {
        lock.lock();
        try {
            forget();
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
            forgetBelow(next.firstTime);
            if (isRecent && oldest.isNamed) {
                named.addLast(oldest);
            } else {
                oldest.release();
            }
        }
    }

    // ---- what they keep in the heap

    private void link(Version version, long replacedBytes) {
        Version before = newest;
        before.newer = version;
        before.churnBytes = replacedBytes;
        version.older = before;
        keptBytes += before.keptBytes();
        linked++;
    }

    /** What was replaced after this one stays as long as there are older ones that show it. */
    private void unlink(Version version) {
        Version before = version.older;
        Version after = version.newer;
        if (after == null) {
            throw new IllegalStateException("the newest version stays");
        }
        keptBytes -= version.keptBytes();
        after.older = before;
        if (before == null) {
            oldest = after;
        } else {
            keptBytes -= before.keptBytes();
            before.churnBytes += version.churnBytes;
            keptBytes += before.keptBytes();
            before.newer = after;
        }
        // A reader that still uses it must not keep the later ones alive.
        version.older = null;
        version.newer = null;
        linked--;
    }

    /** For writers that find no room for data: removes all versions that are not being read. */
    void relieve() {
        MemoryPart part = data;
        if (part == null) {
            return;
        }
        lock.lock();
        try {
            limitMemory(0);
            account(part, newest.heapBytes + keptBytes);
        } finally {
            lock.unlock();
        }
    }

    /** What data leaves of its part, without what large holders leave to small ones. */
    private static long roomBeside(MemoryPart data, long heapBytes) {
        long max = data.bytesMax();
        return max - max / LEFT_TO_SMALL - heapBytes;
    }

    /**
     * Removes first the versions that are not being read, then, if that does not help, those that are: their readers get an
     * error. Where data itself needs the room, they may keep less.
     */
    private void limitMemory(long room) {
        TransactionOptions limits = options.get();
        long max = limits.snapshotBytesMax();
        long idleMax = Math.clamp(room, 0, max);
        if (keptBytes > idleMax || linked > LINKED_PER_SNAPSHOT * limits.snapshotsMax()) {
            sweep(Version::isGone, Long.MIN_VALUE);
            sweep(Version::isIdle, idleMax);
            sweep(each -> true, Math.clamp(room, max / 2, IN_USE_SHARE * max));
        }
    }

    private void sweep(Predicate<Version> which, long untilBytes) {
        Version next = oldest;
        while (next != newest && keptBytes > untilBytes) {
            Version each = next;
            Version after = each.newer;
            if (after == null) {
                return;
            }
            next = after;
            if (which.test(each)) {
                drop(each);
            }
        }
    }

    private void drop(Version version) {
        Version next = version.newer;
        unlink(version);
        if (version.isGone()) {
            // It is in no list: those that are in one are in use by it.
            return;
        }
        if (next != null) {
            forgetBelow(next.firstTime);
        }
        if (retained.remove(version) || named.remove(version)) {
            version.release();
        }
        version.evict();
    }

    /** The state up to this time is gone, and what is older must not be taken for it. */
    private void forgetBelow(long time) {
        if (Long.compareUnsigned(time, forgottenBelow) > 0) {
            forgottenBelow = time;
        }
    }

    private void account(MemoryPart part, long bytes) {
        if (bytes > takenBytes) {
            part.take(bytes - takenBytes);
        } else {
            part.release(takenBytes - bytes);
        }
        takenBytes = bytes;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            named.forEach(Version::release);
            named.clear();
            retained.forEach(Version::release);
            retained.clear();
        } finally {
            lock.unlock();
        }
    }
}
