package dev.semel.store.lock;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whoever holds locks: one for each transaction, used with one lock table. What it holds is the lock table's business and
 * guarded by the table's mutex.
 */
public final class LockOwner {
    private final long id;
    private volatile LockPolicy policy;

    /** The parts of key spaces in which this owner has a lock, in no order. */
    final List<Segment> segments = new ArrayList<>(4);

    /** Requests that are to be looked at again when this owner lets go of something. */
    List<LockRequest> watchers = new ArrayList<>(0);

    /** An owner works in one thread, so it waits for one lock at a time. */
    @Nullable
    LockRequest waiting;

    public LockOwner(long id, LockPolicy policy) {
        this.id = id;
        this.policy = policy;
    }

    public long id() {
        return id;
    }

    public LockPolicy policy() {
        return policy;
    }

    /** For the locks that it asks for from now on. */
    public void policy(LockPolicy changed) {
        policy = changed;
    }

    boolean is(LockPolicy.Kind kind) {
        return policy.kind() == kind;
    }
}
