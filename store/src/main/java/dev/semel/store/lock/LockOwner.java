package dev.semel.store.lock;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whoever holds locks: one for each transaction. What it holds is the lock table's business. */
public final class LockOwner {
    private final long id;
    private final LockPolicy policy;

    // Guarded by the lock table.
    final List<Grant> grants = new ArrayList<>();

    @Nullable
    Request waiting;

    /** How many locks it may have before the table tries to merge them. */
    int mergeAt = LockTable.MERGE_AT;

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
}
