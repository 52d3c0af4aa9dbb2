package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A lock that is waited for. All but the outcome is guarded by the table's mutex for waits. */
final class LockRequest {
    final LockOwner owner;
    final LockSpace space;
    final KeyRange range;
    final LockMode mode;

    /** Does not wait for others as such, but only to learn whether what is in its way is real. */
    final boolean isNoWait;

    final Instant since;
    final Thread thread = Thread.currentThread();

    /**
     * Place in the queue, lowest first. Owners that already hold a weaker lock there come before all others, which could not
     * be granted theirs before anyway.
     */
    final long order;

    /** An owner that certainly conflicts. As long as it does, no other owner needs to be checked. */
    @Nullable
    LockOwner witness;

    /** Whether this wait counts as part of the time that its statement may wait. */
    boolean isTimed;

    volatile Outcome outcome = Outcome.WAITING;

    enum Outcome {
        WAITING,
        GRANTED,
        VICTIM,
        CONFLICT,
        WITHDRAWN
    }

    LockRequest(
            LockOwner owner,
            LockSpace space,
            KeyRange range,
            LockMode mode,
            boolean isNoWait,
            Instant since,
            long order) {
        this.owner = owner;
        this.space = space;
        this.range = range;
        this.mode = mode;
        this.isNoWait = isNoWait;
        this.since = since;
        this.order = order;
    }

    long timeoutNanos() {
        LockPolicy policy = owner.policy();
        return isNoWait ? policy.rangeTimeoutNanos() : policy.timeoutNanos();
    }
}
