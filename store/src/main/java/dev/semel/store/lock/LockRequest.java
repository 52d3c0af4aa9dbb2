package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A lock that is waited for. All but the outcome is guarded by the table's mutex. */
final class LockRequest {
    final LockOwner owner;
    final LockSpace space;
    final KeyRange range;
    final LockMode mode;
    final Instant since;
    final Thread thread = Thread.currentThread();

    /**
     * Place in the queue, lowest first. Whoever has a weaker lock there already comes before all others: they could not be
     * served before it anyway.
     */
    final long order;

    /** Somebody who is in the way for certain. As long as he is, nobody else need be looked at. */
    @Nullable
    LockOwner witness;

    /** Whether this wait counts as part of the time that its statement may wait. */
    boolean isTimed;

    volatile Outcome outcome = Outcome.WAITING;

    enum Outcome {
        WAITING,
        GRANTED,
        VICTIM,
        WITHDRAWN
    }

    LockRequest(LockOwner owner, LockSpace space, KeyRange range, LockMode mode, Instant since, long order) {
        this.owner = owner;
        this.space = space;
        this.range = range;
        this.mode = mode;
        this.since = since;
        this.order = order;
    }

    boolean conflictsWith(LockRequest other) {
        return owner != other.owner && !mode.isCompatible(other.mode) && range.overlaps(other.range);
    }
}
