package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** Shared and exclusive locks on points and ranges of key spaces. */
public final class LockTable implements Locks {
    private final LongSupplier nanoTime;
    private final InstantSource clock;
    private final ReentrantLock mutex = new ReentrantLock();
    private final Condition released = mutex.newCondition();
    private final List<Claim> claims = new ArrayList<>();

    private record Claim(LockOwner owner, int space, KeyRange range, LockMode mode, boolean granted, Instant since) {}

    public LockTable(LongSupplier nanoTime, InstantSource clock) {
        this.nanoTime = nanoTime;
        this.clock = clock;
    }

    @Override
    public void lock(LockOwner owner, int space, byte[] key, LockMode mode, Interruption interruption) {
        lock(owner, space, KeyRange.point(key), mode, interruption);
    }

    @Override
    public void lock(LockOwner owner, int space, KeyRange range, LockMode mode, Interruption interruption) {
        mutex.lock();
        try {
            long start = nanoTime.getAsLong();
            Claim waiting = null;
            try {
                while (!blockers(owner, space, range, mode).isEmpty()) {
                    interruption.check();
                    if (owner.policy().kind() == LockPolicy.Kind.SESSION_TRANSACTION) {
                        throw new CommandException(ErrorCode.WriteConflict, "Write conflict");
                    }
                    if (nanoTime.getAsLong() - start > owner.policy().timeoutNanos()) {
                        throw new CommandException(ErrorCode.location(16759), "Lock not granted");
                    }
                    if (waiting == null) {
                        waiting = new Claim(owner, space, range, mode, false, clock.instant());
                        claims.add(waiting);
                    }
                    released.awaitNanos(TimeUnit.MILLISECONDS.toNanos(10));
                }
            } catch (InterruptedException e) {
                throw new CommandException(ErrorCode.Interrupted, "operation was interrupted");
            } finally {
                if (waiting != null) {
                    claims.remove(waiting);
                }
            }
            claims.add(new Claim(owner, space, range, mode, true, clock.instant()));
        } finally {
            mutex.unlock();
        }
    }

    private List<Long> blockers(LockOwner owner, int space, KeyRange range, LockMode mode) {
        return claims.stream()
                .filter(each -> each.granted()
                        && each.owner() != owner
                        && each.space() == space
                        && each.range().overlaps(range)
                        && !each.mode().isCompatible(mode))
                .map(each -> each.owner().id())
                .distinct()
                .toList();
    }

    @Override
    public void releaseAll(LockOwner owner) {
        mutex.lock();
        try {
            claims.removeIf(each -> each.owner() == owner);
            released.signalAll();
        } finally {
            mutex.unlock();
        }
    }

    @Override
    public List<HeldLock> held(LockOwner owner, int limit) {
        mutex.lock();
        try {
            return claims.stream()
                    .filter(each -> each.granted() && each.owner() == owner)
                    .limit(limit)
                    .map(each -> new HeldLock(owner.id(), each.space(), each.range(), each.mode()))
                    .toList();
        } finally {
            mutex.unlock();
        }
    }

    @Override
    public List<PendingLock> pending() {
        mutex.lock();
        try {
            return claims.stream()
                    .filter(each -> !each.granted())
                    .map(each -> new PendingLock(
                            each.owner().id(),
                            blockers(each.owner(), each.space(), each.range(), each.mode()),
                            each.since(),
                            each.space(),
                            each.range(),
                            each.mode()))
                    .toList();
        } finally {
            mutex.unlock();
        }
    }
}
