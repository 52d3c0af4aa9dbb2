package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;
import java.util.List;

/**
 * What transactions need of a lock table. {@link LockTable} is the one; tests put a weakened one in its place to see
 * that they would notice.
 *
 * <p>A lock is asked for by the one thread that works for the owner at the time, and held until {@link #releaseAll}. A
 * request that fails leaves the owner with what it had before. How long it waits and how it fails says
 * {@link LockPolicy}.
 */
public interface Locks {
    /** Locks a key, present or not. A lock that the owner has already costs next to nothing. */
    void lock(LockOwner owner, int space, byte[] key, LockMode mode, Interruption interruption);

    /** Locks a range of keys, present or not, gaps included; shared or exclusive only. */
    void lock(LockOwner owner, int space, KeyRange range, LockMode mode, Interruption interruption);

    /** Ends the owner's locks and lets waiting owners have them. From any thread, once the owner asks for no more. */
    void releaseAll(LockOwner owner);

    /** Up to this many of what the owner holds, in no particular order. */
    List<HeldLock> held(LockOwner owner, int limit);

    /** Everything that is waited for, oldest first. */
    List<PendingLock> pending();

    /** How often a lock was not free, whether it was waited for or not; costs nothing. */
    long conflicts();

    LockStatistics statistics();
}
