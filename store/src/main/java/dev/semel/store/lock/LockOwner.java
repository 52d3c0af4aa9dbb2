package dev.semel.store.lock;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An owner of locks: one for each transaction, used with one lock table, which alone knows what it holds.
 */
public final class LockOwner {
    private static final Holding[] NOTHING = {};

    private final long id;
    private volatile LockPolicy policy;

    /** What it has in each key space where it has anything. Replaced by the thread that works for the owner. */
    private volatile Holding[] holdings = NOTHING;

    /** Requests to look at again when this owner releases something. Guarded by the table's mutex for waits. */
    private Set<LockRequest> watchers = Set.of();

    /** Whether there are any. Set under the mutex of a space where the owner is in the way, so its release sees it. */
    private volatile boolean watched;

    /** An owner works in one thread, so it waits for one lock at a time. Guarded by the table's mutex for waits. */
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

    // What it holds

    Holding[] holdings() {
        return holdings;
    }

    @Nullable
    Holding in(LockSpace space) {
        for (Holding each : holdings) {
            if (each.space == space) {
                return each;
            }
        }
        return null;
    }

    Holding begin(LockSpace space) {
        Holding first = new Holding(this, space);
        Holding[] changed = Arrays.copyOf(holdings, holdings.length + 1);
        changed[holdings.length] = first;
        holdings = changed;
        return first;
    }

    void holdsNothing() {
        holdings = NOTHING;
    }

    // Owners that wait for it

    void watch(LockRequest request) {
        if (watchers.isEmpty()) {
            watchers = new LinkedHashSet<>();
            watched = true;
        }
        watchers.add(request);
    }

    void unwatch(LockRequest request) {
        if (!watchers.isEmpty()) {
            watchers.remove(request);
            watched = !watchers.isEmpty();
        }
    }

    boolean isWatched() {
        return watched;
    }

    Set<LockRequest> takeWatchers() {
        Set<LockRequest> taken = watchers;
        watchers = Set.of();
        watched = false;
        return taken;
    }
}
