package dev.semel.store;

import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.thread.SharedThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The commit log of a single node. The thread that has the turn takes what has been appended, stamps it, writes it as one
 * batch and makes it visible: {@code applied}. Usually that is the thread that has just appended, which saves two thread
 * switches per commit; what is appended meanwhile is left to the committer, a separate thread, as one group. A virtual
 * thread first lets the others run that can, because one write for several commits costs little more than one for one; a
 * thread that serves many connections leaves its commits until it has run what has come on all of them.
 * {@link LogSyncer} makes it durable: on a virtual thread a sync would block all threads that share its carrier.
 */
final class LocalCommitLog implements CommitLog {
    /** What one group holds at most, so that the first in it does not wait for ever. One commit may be larger. */
    private static final int GROUP_COMMITS_MAX = 4096;

    private static final long GROUP_BYTES_MAX = 16 << 20;

    /** What may be applied and not durable yet. */
    private static final int UNSYNCED_COMMITS_MAX = 100_000;

    private final Sequencer sequencer;
    private final Applier applier;
    private final Consumer<Throwable> fatal;
    private final TimeGate durable;
    private final @Nullable LogSyncer syncer;
    private final Queue<Commit> appended = new ConcurrentLinkedQueue<>();
    private final ReentrantLock turn = new ReentrantLock();
    private final Thread committer;
    private final AtomicBoolean failing = new AtomicBoolean();
    private volatile @Nullable Throwable failure;
    private volatile boolean idle;
    private volatile boolean closed;
    private volatile boolean ended;
    private final AtomicLong groups = new AtomicLong();

    private LocalCommitLog(
            Store store, Sequencer sequencer, Applier applier, Consumer<Throwable> fatal, int unsyncedCommitsMax) {
        this.sequencer = sequencer;
        this.applier = applier;
        this.fatal = fatal;
        this.durable = new TimeGate(applier.applied().clusterTime());
        this.syncer = store.isPersistent() ? new LogSyncer(store, durable, this::fail, unsyncedCommitsMax) : null;
        this.committer = Thread.ofPlatform()
                .name("semel-commit")
                .daemon(true)
                .uncaughtExceptionHandler((thread, e) -> fail(e))
                .unstarted(this::run);
    }

    /** A failure goes to {@code fatal}, which must end the process; until then waiters get it and nothing is written. */
    static LocalCommitLog start(Store store, Sequencer sequencer, Applier applier, Consumer<Throwable> fatal) {
        return start(store, sequencer, applier, fatal, UNSYNCED_COMMITS_MAX);
    }

    /** With another limit of what may be applied and not durable yet. */
    static LocalCommitLog start(
            Store store, Sequencer sequencer, Applier applier, Consumer<Throwable> fatal, int unsyncedCommitsMax) {
        LocalCommitLog log = new LocalCommitLog(store, sequencer, applier, fatal, unsyncedCommitsMax);
        if (log.syncer != null) {
            log.syncer.start();
        }
        log.committer.start();
        return log;
    }

    @Override
    public boolean isShared() {
        return false;
    }

    /** It stays: no other node has the data. */
    @Override
    public long term() {
        return Math.max(Sequencer.FIRST_TERM, applier.applied().term());
    }

    @Override
    public Commit append(CommitDraft draft, Originator originator) {
        if (closed) {
            throw shutdown();
        }
        Commit commit = new Commit(this, draft, originator);
        appended.add(commit);
        if (!SharedThread.isCurrent()) {
            originator.gather();
            takeTurn();
        } else if (!originator.gathersOthers()) {
            takeTurn();
        }
        // The committer empties the queue before it ends; what came too late for that is taken back here.
        if (ended && appended.remove(commit)) {
            throw shutdown();
        }
        return commit;
    }

    @Override
    public boolean applyLeft() {
        if (appended.isEmpty()) {
            return false;
        }
        takeTurn();
        return true;
    }

    @Override
    public void applyAll() {
        // What another thread has taken is applied when that gives its turn back.
        turn.lock();
        try {
            while (!ended && !appended.isEmpty()) {
                writeNext();
            }
        } finally {
            turn.unlock();
        }
    }

    private void takeTurn() {
        if (turn.tryLock()) {
            try {
                if (!ended) {
                    writeNext();
                }
            } finally {
                turn.unlock();
            }
        }
        // The thread that had the turn looks here too, afterwards: one of the two sees what the other has left.
        if (idle && !appended.isEmpty()) {
            LockSupport.unpark(committer);
        }
    }

    private static CommandException shutdown() {
        return new CommandException(ErrorCode.ShutdownInProgress, "The server is in quiesce mode and will shut down");
    }

    private void run() {
        while (!closed) {
            idle = true;
            if (appended.isEmpty() && !closed) {
                LockSupport.park(this);
            }
            idle = false;
            writeAll();
        }
        writeAll();
        ended = true;
        // A thread that has not seen the end yet may have appended something, or have the turn: nothing is written
        // after this.
        turn.lock();
        try {
            while (!appended.isEmpty()) {
                writeNext();
            }
        } finally {
            turn.unlock();
        }
    }

    private void writeAll() {
        while (!appended.isEmpty()) {
            turn.lock();
            try {
                writeNext();
            } finally {
                turn.unlock();
            }
        }
    }

    /** Writes one group, on the thread that has the turn. */
    private void writeNext() {
        Commit first = appended.poll();
        if (first == null) {
            return;
        }
        List<Commit> group = new ArrayList<>();
        try {
            write(first, group);
        } catch (Throwable e) {
            try {
                first.failed(e);
                group.forEach(each -> each.failed(e));
            } finally {
                // Telling others takes memory, which may be what is missing.
                fail(e);
            }
        }
    }

    private void write(Commit first, List<Commit> group) {
        int commitsMax = syncer == null ? GROUP_COMMITS_MAX : Math.min(GROUP_COMMITS_MAX, syncer.awaitRoom());
        Throwable broken = failure;
        if (broken != null) {
            first.failed(broken);
            return;
        }
        List<CommitRecord> records = new ArrayList<>();
        long bytes = 0;
        Commit next = first;
        while (next != null) {
            CommitRecord record = sequencer.sequence(next.draft());
            group.add(next);
            records.add(record);
            bytes += record.bytes();
            next = group.size() < commitsMax && bytes < GROUP_BYTES_MAX ? appended.poll() : null;
        }
        long time = records.getLast().clusterTime();
        applier.apply(
                records,
                LogPosition.NONE,
                () -> group.forEach(each -> each.originator().applying(time)));
        groups.incrementAndGet();
        complete(group, time);
    }

    /** They are visible. */
    private void complete(List<Commit> group, long time) {
        if (syncer == null) {
            durable.advance(time);
        }
        boolean wanted = false;
        for (Commit each : group) {
            each.originator().applied();
            each.applied(time, syncer == null);
            wanted |= each.isDurabilityWanted();
        }
        if (syncer != null) {
            // Not before each of them is applied in full: a sync that is quick would say that it is durable.
            syncer.add(group, time);
        }
        if (wanted) {
            durabilityWanted(time);
        }
    }

    /** Once: fails everything that waits, and reports the failure to the owner of the process. */
    private void fail(Throwable cause) {
        failure = cause;
        closed = true;
        if (!failing.compareAndSet(false, true)) {
            return;
        }
        try {
            if (syncer != null) {
                syncer.failAll(cause);
            }
            durable.fail(cause);
            applier.fail(cause);
            ended = true;
            for (Commit each = appended.poll(); each != null; each = appended.poll()) {
                each.failed(cause);
            }
            LockSupport.unpark(committer);
        } finally {
            fatal.accept(cause);
        }
    }

    @Override
    public long durableTime() {
        return durable.reached();
    }

    @Override
    public void awaitDurable(long clusterTime, Interruption interruption) {
        if (!durable.hasReached(clusterTime)) {
            durabilityWanted(clusterTime);
            durable.await(clusterTime, interruption);
        }
    }

    @Override
    public boolean awaitDurableAfter(long clusterTime, Interruption interruption, LongSupplier remainingNanos) {
        return durable.await(clusterTime + 1, interruption, remainingNanos);
    }

    @Override
    public void whenDurable(long clusterTime, Runnable wake) {
        durabilityWanted(clusterTime);
        durable.whenReached(clusterTime, wake);
    }

    @Override
    public void durabilityWanted(long clusterTime) {
        if (syncer != null) {
            syncer.want(clusterTime);
        }
    }

    @Override
    public long groups() {
        return groups.get();
    }

    @Override
    public long syncs() {
        return syncer == null ? 0 : syncer.syncs();
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(committer);
        Threads.join(committer);
        if (syncer != null) {
            syncer.close();
        }
    }
}
