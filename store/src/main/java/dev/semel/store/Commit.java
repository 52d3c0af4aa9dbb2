package dev.semel.store;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A commit on its way: first <em>applied</em>, which is visible to others and its locks released, then <em>durable</em>.
 * From {@link Transaction#commit} on nothing stops it, so waiting for it cannot be interrupted either: who stops waiting
 * does not know what happened. Waited for by one thread.
 */
public final class Commit {
    private static final int PENDING = 0;
    private static final int APPLIED = 1;
    private static final int DURABLE = 2;
    private static final int FAILED = 3;

    private volatile int state = PENDING;
    private volatile @Nullable Thread waiter;
    private long opTime;
    private long clusterTime;
    private @Nullable Throwable failure;

    Commit() {}

    /** Of a transaction that wrote nothing. */
    static Commit empty(long clusterTime, boolean durable) {
        Commit commit = new Commit();
        commit.opTime = clusterTime;
        commit.clusterTime = clusterTime;
        commit.state = durable ? DURABLE : APPLIED;
        return commit;
    }

    public void awaitApplied() {
        await(APPLIED);
    }

    public void awaitDurable() {
        await(DURABLE);
    }

    public boolean isDurable() {
        return state == DURABLE;
    }

    /** Once applied: what a reply may name, a time at which the commit, and everything before it, can be read. */
    public long clusterTime() {
        checkApplied();
        return clusterTime;
    }

    /** Once applied: the time in the commit's own (last) oplog entry. Not above {@link #clusterTime}. */
    public long opTime() {
        checkApplied();
        return opTime;
    }

    private void checkApplied() {
        if (state != APPLIED && state != DURABLE) {
            throw new IllegalStateException("the commit has not been applied");
        }
    }

    private void await(int wanted) {
        if (state < wanted) {
            waiter = Thread.currentThread();
            boolean interrupted = false;
            while (state < wanted) {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            }
            waiter = null;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (state == FAILED) {
            throw new IllegalStateException("the commit failed", failure);
        }
    }

    void applied(long ownTime, long groupTime, boolean durable) {
        opTime = ownTime;
        clusterTime = groupTime;
        advance(durable ? DURABLE : APPLIED);
    }

    void durable() {
        advance(DURABLE);
    }

    void failed(Throwable cause) {
        failure = cause;
        advance(FAILED);
    }

    private void advance(int next) {
        state = next;
        Thread thread = waiter;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }
}
