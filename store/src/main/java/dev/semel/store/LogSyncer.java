package dev.semel.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes applied commits durable, in its own thread, so that the next group is written while this one is being written
 * to the disk, and locks of one row can pass through many commits within one sync. It syncs as soon as a thread waits
 * for it, one sync for all that came during the one before, and otherwise at intervals, which limit how many
 * unacknowledged commits a power loss can cost.
 */
final class LogSyncer {
    private static final long UNASKED_SYNC_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Store store;
    private final TimeGate durable;
    private final Consumer<Throwable> fail;

    /** While a sync hangs, no more commits are applied than this: those behind them wait. */
    private final int appliedMax;

    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();

    /** Applied, and their sync has not begun, in order; guarded by the lock, as is the time of the newest. */
    private List<Commit> applied = new ArrayList<>();

    private long appliedTime;

    /** How many are being synced; guarded by the lock. */
    private int syncing;

    /** Set once, when nothing will be durable any more; guarded by the lock. */
    private @Nullable Throwable failure;

    /** The latest time that a thread waits for, or has waited for. */
    private final AtomicLong wantedTime;

    private volatile boolean hasWork;
    private volatile boolean closing;
    private volatile boolean idle;
    private final AtomicLong syncs = new AtomicLong();

    LogSyncer(Store store, TimeGate durable, Consumer<Throwable> fail, int appliedMax) {
        this.store = store;
        this.durable = durable;
        this.fail = fail;
        this.appliedMax = appliedMax;
        this.appliedTime = durable.reached();
        this.wantedTime = new AtomicLong(appliedTime);
        this.thread = Thread.ofPlatform().name("semel-log-sync").daemon(true).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    long syncs() {
        return syncs.get();
    }

    /** On the thread that has the turn, before a group is made: waits until commits may be applied, and returns how many. */
    int awaitRoom() {
        lock.lock();
        try {
            while (room() == 0 && failure == null) {
                room.awaitUninterruptibly();
            }
            return room();
        } finally {
            lock.unlock();
        }
    }

    private int room() {
        return appliedMax - applied.size() - syncing;
    }

    /** The same, afterwards: everything up to this time is applied. The commits are notified when it is durable. */
    void add(List<Commit> group, long clusterTime) {
        lock.lock();
        try {
            Throwable broken = failure;
            if (broken != null) {
                group.forEach(each -> each.failed(broken));
                return;
            }
            applied.addAll(group);
            appliedTime = clusterTime;
            hasWork = true;
        } finally {
            lock.unlock();
        }
        if (idle) {
            LockSupport.unpark(thread);
        }
    }

    /** Also of what is about to be added: then the sync follows at once. */
    void want(long clusterTime) {
        long before = wantedTime.getAndAccumulate(clusterTime, LogSyncer::later);
        if (later(before, clusterTime) != before) {
            LockSupport.unpark(thread);
        }
    }

    private static long later(long one, long other) {
        return Long.compareUnsigned(one, other) >= 0 ? one : other;
    }

    /** After the last group: syncs it and ends. */
    void close() {
        closing = true;
        LockSupport.unpark(thread);
        Threads.join(thread);
    }

    private void run() {
        try {
            while (true) {
                awaitWork();
                if (!hasWork) {
                    return;
                }
                syncOnce();
            }
        } catch (Throwable e) {
            fail.accept(e);
        }
    }

    /** Until there is something to sync and a reason to do it now; without work it is the end. */
    private void awaitWork() {
        while (!hasWork && !closing) {
            idle = true;
            if (!hasWork && !closing) {
                LockSupport.park(this);
            }
            idle = false;
        }
        // A park that ends early makes an early sync, which does no harm.
        if (durable.hasReached(wantedTime.get()) && !closing) {
            LockSupport.parkNanos(this, UNASKED_SYNC_NANOS);
        }
    }

    private void syncOnce() {
        List<Commit> commits;
        long upTo;
        lock.lock();
        try {
            commits = applied;
            applied = new ArrayList<>(commits.size());
            syncing = commits.size();
            upTo = appliedTime;
            hasWork = false;
        } finally {
            lock.unlock();
        }
        try {
            store.syncLog();
        } catch (Throwable e) {
            commits.forEach(each -> each.failed(e));
            throw e;
        }
        syncs.incrementAndGet();
        durable.advance(upTo);
        for (Commit each : commits) {
            each.durable();
        }
        makeRoom();
    }

    private void makeRoom() {
        lock.lock();
        try {
            syncing = 0;
            room.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Called by the thread that found the failure: nothing that is applied will become durable. */
    void failAll(Throwable cause) {
        lock.lock();
        try {
            failure = cause;
            applied.forEach(each -> each.failed(cause));
            applied.clear();
            room.signal();
        } finally {
            lock.unlock();
        }
    }
}
