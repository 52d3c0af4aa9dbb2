package dev.semel.store;

import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A commit in progress: first <em>applied</em>, which is visible to others and its locks released, then
 * <em>durable</em>. After {@link Transaction#commit} it cannot be stopped, so waiting for it cannot be interrupted
 * either: a caller that stops waiting would not know the outcome. One thread waits; the {@link CommitLog} reports the
 * progress.
 */
public final class Commit {
    private static final int PENDING = 0;
    private static final int APPLIED = 1;
    private static final int DURABLE = 2;
    private static final int FAILED = 3;

    private final CommitLog log;

    private final boolean wroteNothing;

    /** Null once it is applied: as long as the disk takes, nothing else of a transaction is kept. */
    private @Nullable Pending pending;

    private volatile int state = PENDING;

    /** What the waiter waits for; written before it says who it is. */
    private int awaited;

    private volatile @Nullable Thread waiter;
    private long clusterTime;
    private @Nullable Throwable failure;

    /** What to apply, and the transaction to notify. */
    private record Pending(CommitDraft draft, Originator originator) {}

    /** One that a log has taken. */
    public Commit(CommitLog log, CommitDraft draft, Originator originator) {
        this.log = log;
        this.pending = new Pending(draft, originator);
        this.wroteNothing = false;
    }

    private Commit(CommitLog log, long clusterTime) {
        this.log = log;
        this.wroteNothing = true;
        this.clusterTime = clusterTime;
        this.state = APPLIED;
    }

    /**
     * Of a transaction that wrote nothing. It is as durable as what it has seen: an answer such as "nothing matched" is
     * wrong if a power loss undoes what it is based on.
     */
    static Commit empty(CommitLog log, long seen) {
        return new Commit(log, seen);
    }

    public void awaitApplied() {
        await(APPLIED);
    }

    public void awaitDurable() {
        if (wroteNothing) {
            log.awaitDurable(clusterTime, Interruption.unlimited());
            state = DURABLE;
        } else {
            await(DURABLE);
        }
    }

    public boolean isApplied() {
        return state == APPLIED || state == DURABLE;
    }

    public boolean isDurable() {
        return state == DURABLE;
    }

    /** Once applied: what a reply may name, a time at which the commit, and everything before it, can be read. */
    public long clusterTime() {
        checkApplied();
        return clusterTime;
    }

    private void checkApplied() {
        if (!isApplied()) {
            throw new IllegalStateException("the commit has not been applied");
        }
    }

    private void await(int wanted) {
        if (state == PENDING) {
            log.applyLeft();
        }
        if (state < wanted) {
            awaited = wanted;
            waiter = Thread.currentThread();
            // Either the log sees the waiter when it applies the commit, or the waiter sees here that it has.
            if (wanted == DURABLE && state == APPLIED) {
                log.durabilityWanted(clusterTime);
            }
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
            if (failure instanceof CommandException told) {
                throw new CommandException(told.code(), "%s", told.text());
            }
            throw new IllegalStateException("the commit failed", failure);
        }
    }

    // For the log

    public CommitDraft draft() {
        return pending().draft;
    }

    public Originator originator() {
        return pending().originator;
    }

    private Pending pending() {
        Pending own = pending;
        if (own == null) {
            throw new IllegalStateException("not a commit to be applied");
        }
        return own;
    }

    /** Whether a thread waits for durability too. */
    public boolean isDurabilityWanted() {
        return waiter != null && awaited == DURABLE;
    }

    /** It is visible at the time of the commits it was applied with. */
    public void applied(long groupTime, boolean durable) {
        clusterTime = groupTime;
        pending = null;
        advance(durable ? DURABLE : APPLIED);
    }

    public void durable() {
        advance(DURABLE);
    }

    /** It was not applied, or this is unknown: the client gets this {@link CommandException}. */
    public void failed(Throwable cause) {
        failure = cause;
        advance(FAILED);
    }

    private void advance(int next) {
        state = next;
        Thread thread = waiter;
        if (thread != null && next >= awaited) {
            LockSupport.unpark(thread);
        }
    }
}
