package dev.semel.replication.ratis;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The entries that a follower has in its log and has not applied. Ratis keeps them in memory, so no more are received while
 * there are too many.
 *
 * <p>Only committed entries count, because those are applied whatever else arrives. Others may be committed only by what
 * follows them; there are no more of them than their leader may have proposed.
 */
final class Backlog {
    private final long bytesMax;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition hasShrunk = lock.newCondition();

    /** By index: the bytes of an entry and of all before it. */
    private final NavigableMap<Long, Long> ends = new TreeMap<>();

    /** The same of the last entry that is applied. */
    private long appliedEnd;

    Backlog(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Entries of another leader that were there and behind are replaced. */
    void appended(long index, long bytes) {
        lock.lock();
        try {
            ends.tailMap(index, true).clear();
            ends.put(index, end(ends.lastEntry()) + bytes);
        } finally {
            lock.unlock();
        }
    }

    /** This entry and all before it. */
    void applied(long index) {
        lock.lock();
        try {
            appliedEnd = end(ends.floorEntry(index));
            ends.headMap(index, true).clear();
            hasShrunk.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits while there are too many.
     *
     * @param committed the index of the last committed entry; not asked as long as nothing has been appended, when a group
     *     that is being opened does not know it
     * @return whether there is room now
     */
    boolean awaitRoom(LongSupplier committed, long nanosMax) throws InterruptedException {
        long remaining = nanosMax;
        lock.lock();
        try {
            while (!ends.isEmpty() && bytes(committed.getAsLong()) > bytesMax && remaining > 0) {
                remaining = hasShrunk.awaitNanos(remaining);
            }
            return remaining > 0;
        } finally {
            lock.unlock();
        }
    }

    private long bytes(long committed) {
        return end(ends.floorEntry(committed)) - appliedEnd;
    }

    private long end(Map.@Nullable Entry<Long, Long> entry) {
        return entry == null ? appliedEnd : entry.getValue();
    }
}
