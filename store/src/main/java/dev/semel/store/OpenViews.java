package dev.semel.store;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The views of a transaction that show its own writes, each from between two times when those were spilled. They keep what was
 * in the heap then. Opened by the transaction's thread, closed by any.
 */
final class OpenViews {
    private final ReentrantLock lock = new ReentrantLock();

    /** By what was spilled before, oldest first; guarded by the lock. */
    private final Map<Long, Kept> views = new TreeMap<>();

    private int count;

    private static final class Kept {
        private int views;
        private long bytes;
    }

    /** Runs the returned one when it is closed. The bytes are those of the writes that it shows, in the heap. */
    Runnable opened(long spills, long bytes) {
        lock.lock();
        try {
            Kept kept = views.computeIfAbsent(spills, each -> new Kept());
            kept.views++;
            kept.bytes = Math.max(kept.bytes, bytes);
            count++;
        } finally {
            lock.unlock();
        }
        return () -> closed(spills);
    }

    private void closed(long spills) {
        lock.lock();
        try {
            count--;
            Kept kept = views.get(spills);
            if (kept != null && --kept.views == 0) {
                views.remove(spills);
            }
        } finally {
            lock.unlock();
        }
    }

    boolean areNone() {
        lock.lock();
        try {
            return count == 0;
        } finally {
            lock.unlock();
        }
    }

    /** What they keep of what has been spilled since. */
    long keptBytes(long spills) {
        long bytes = 0;
        lock.lock();
        try {
            for (Map.Entry<Long, Kept> each : views.entrySet()) {
                bytes += each.getKey() < spills ? each.getValue().bytes : 0;
            }
        } finally {
            lock.unlock();
        }
        return bytes;
    }
}
