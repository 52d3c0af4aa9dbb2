package dev.semel.server;

import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.HeldLock;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockMode;
import dev.semel.store.lock.LockOwner;
import dev.semel.store.lock.LockStatistics;
import dev.semel.store.lock.Locks;
import dev.semel.store.lock.PendingLock;
import java.util.List;

/** A lock table that locks nothing: whoever asks gets what he wants, and the tests must notice. */
final class WeakLocks implements Locks {
    @Override
    public void lock(LockOwner owner, int space, byte[] key, LockMode mode, Interruption interruption) {}

    @Override
    public void lock(LockOwner owner, int space, KeyRange range, LockMode mode, Interruption interruption) {}

    @Override
    public void releaseAll(LockOwner owner) {}

    @Override
    public List<HeldLock> held(LockOwner owner, int limit) {
        return List.of();
    }

    @Override
    public List<PendingLock> pending() {
        return List.of();
    }

    @Override
    public long conflicts() {
        return 0;
    }

    @Override
    public LockStatistics statistics() {
        return new LockStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
}
