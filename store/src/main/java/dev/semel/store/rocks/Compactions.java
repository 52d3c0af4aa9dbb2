package dev.semel.store.rocks;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.rocksdb.CompactRangeOptions;

/** The compactions that clients have asked for, which end early when the store is closed. */
final class Compactions {
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock, by which none of them is released while it is used. */
    private final Set<CompactRangeOptions> running = new HashSet<>();

    private boolean canceled;

    /** Beside the engine's own compactions and writers; even what is at the bottom is rewritten. */
    CompactRangeOptions begin() {
        CompactRangeOptions options = new CompactRangeOptions()
                .setExclusiveManualCompaction(false)
                .setAllowWriteStall(false)
                .setBottommostLevelCompaction(CompactRangeOptions.BottommostLevelCompaction.kForce);
        lock.lock();
        try {
            options.setCanceled(canceled);
            running.add(options);
        } finally {
            lock.unlock();
        }
        return options;
    }

    void end(CompactRangeOptions options) {
        lock.lock();
        try {
            running.remove(options);
            options.close();
        } finally {
            lock.unlock();
        }
    }

    void cancel() {
        lock.lock();
        try {
            canceled = true;
            running.forEach(each -> each.setCanceled(true));
        } finally {
            lock.unlock();
        }
    }
}
