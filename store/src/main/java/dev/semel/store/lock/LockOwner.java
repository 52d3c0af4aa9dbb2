package dev.semel.store.lock;

/** Whoever holds locks: one for each transaction. What it holds is the lock table's business. */
public final class LockOwner {
    private final long id;
    private final LockPolicy policy;

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
