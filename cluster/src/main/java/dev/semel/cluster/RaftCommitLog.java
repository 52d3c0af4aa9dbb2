package dev.semel.cluster;

import dev.semel.cluster.EntryCodec.Content;
import dev.semel.cluster.EntryCodec.Part;
import dev.semel.cluster.EntryCodec.Whole;
import dev.semel.replication.Entry;
import dev.semel.replication.Outcome;
import dev.semel.store.Applier;
import dev.semel.store.Commit;
import dev.semel.store.CommitDraft;
import dev.semel.store.CommitLog;
import dev.semel.store.CommitRecord;
import dev.semel.store.LogPosition;
import dev.semel.store.Originator;
import dev.semel.store.Sequencer;
import dev.semel.store.TimeGate;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The commit log of a member of a replica set. The primary assigns positions to commits and applies them at once, with undo
 * rows ({@link Applier#applyAhead}), so that locks do not wait for other members; it packs waiting commits into one entry
 * and proposes entries in order. A commit is durable when a majority has it. The other members apply entries in the order
 * of the consensus log. All members skip an entry that does not follow the one before it, because the consensus log has
 * refused one between them, and the primary proposes it again.
 *
 * <p>Commits without small undo rows (removed ranges, ingested files, more than an entry holds) are proposed first and
 * applied when the consensus log has committed them; commits after such a commit wait until then. Of a commit that the heap
 * does not hold, the store sends the rows ahead as small commits.
 *
 * <p>A delayed member holds entries ({@link Delay}) and applies them later.
 *
 * <p>A primary that steps down while commits are applied ahead applies nothing more: its data must be reopened, which
 * undoes them.
 */
final class RaftCommitLog implements CommitLog {
    /** Pause before a refused entry is proposed again: the leader is handing over, or is overloaded. */
    private static final long REFUSED_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** Between two of these, the thread that releases what is held does other things. */
    private static final int RELEASED_AT_ONCE_MAX = 64;

    /** Proposes an entry in a term; see {@link dev.semel.replication.ReplicationEngine#propose}. */
    @FunctionalInterface
    interface Proposer {
        Future<Outcome> propose(byte[] entry, long term);
    }

    /** What happens to this member. */
    interface Events {
        /** Commits that are applied ahead may not be in the log: the data must be reopened. Returns at once. */
        void mustReopen(String why);

        void fatal(Throwable cause);
    }

    private final Sequencer sequencer;
    private final Applier applier;
    private final Proposer proposer;
    private final int entryBytesMax;
    private final Events events;
    private final TimeGate committed;
    private final Thread thread;

    /** Held while commits are applied or sequenced, and while this member's role changes. */
    private final ReentrantLock applying = new ReentrantLock();

    private final CommitPipeline pipeline;

    /** Touched by the thread that applies. */
    private final CommitParts parts;

    private final AtomicLong groups = new AtomicLong();

    /** What of it is touched is guarded by the lock for applying. */
    private final Delay delay;

    /** Whether {@link #release} has something to do. */
    private volatile boolean isHolding;

    /** The term in which this member leads and cannot write before it has applied what it holds; 0 if there is none. */
    private volatile long awaitedTerm;

    private boolean isClosed;

    RaftCommitLog(
            Sequencer sequencer,
            Applier applier,
            Proposer proposer,
            int entryBytesMax,
            Path folder,
            Delay delay,
            LongSupplier nanoTime,
            Events events) {
        this.sequencer = sequencer;
        this.applier = applier;
        this.proposer = proposer;
        this.entryBytesMax = entryBytesMax;
        this.events = events;
        this.pipeline = new CommitPipeline(nanoTime);
        this.parts = new CommitParts(folder);
        this.delay = delay;
        this.isHolding = !delay.isEmpty();
        this.committed = new TimeGate(applier.applied().clusterTime());
        this.thread = Thread.ofPlatform()
                .name("semel-propose")
                .daemon(true)
                .uncaughtExceptionHandler((where, e) -> events.fatal(e))
                .start(this::run);
    }

    // ---- what this member is

    /** It is primary from now on; everything of earlier terms is applied, or held. */
    void writable(long newTerm) {
        applying.lock();
        try {
            awaitedTerm = newTerm;
            isHolding = true;
            beginIfPossible();
        } finally {
            applying.unlock();
        }
    }

    private void beginIfPossible() {
        long next = awaitedTerm;
        if (next != 0 && !delay.isOn()) {
            awaitedTerm = 0;
            if (!pipeline.isHalted()) {
                sequencer.begin(next, applier.applied());
                pipeline.begin(next);
            }
        }
    }

    /** Whether it leads and cannot write yet, because it holds entries. */
    boolean isBehind() {
        return awaitedTerm != 0;
    }

    boolean isWritable(long inTerm) {
        return pipeline.isIn(inTerm);
    }

    /** It is no longer primary. The outcome of commits in flight is not known here. */
    void notWritable() {
        CommandException why = new CommandException(
                ErrorCode.InterruptedDueToReplStateChange,
                "operation was interrupted: this member is not the primary any more, and the write may or may not"
                        + " have happened");
        CommitPipeline.Unfinished unfinished;
        applying.lock();
        try {
            awaitedTerm = 0;
            unfinished = pipeline.end();
        } finally {
            applying.unlock();
        }
        boolean isLost = !unfinished.ahead().isEmpty();
        if (isLost) {
            committed.fail(why);
        }
        unfinished.ahead().forEach(each -> each.failed(why));
        for (Commit each : unfinished.unapplied()) {
            each.originator().lost();
            each.failed(why);
        }
        if (isLost) {
            events.mustReopen("commits were applied that the set may not have");
        }
    }

    /**
     * Before another member takes over: nothing more is applied until {@link #goOn}. Returns true when all applied
     * commits are committed in the log, so that none has to be undone, and false after the given time.
     */
    boolean hold(Duration atMost) throws InterruptedException {
        return pipeline.hold(atMost);
    }

    /** The other member did not take over. */
    void goOn() {
        pipeline.goOn();
    }

    // ---- commits of this member

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public long term() {
        return pipeline.term();
    }

    /**
     * The thread that commits also applies, if no other thread does at this moment: that saves two thread switches, during
     * which others would wait for its locks. Everything else is left to the thread that proposes.
     */
    @Override
    public Commit append(CommitDraft draft, Originator originator) {
        Commit commit = new Commit(this, draft, originator);
        pipeline.add(commit);
        originator.gather();
        if (applying.tryLock()) {
            try {
                takeNext();
            } finally {
                applying.unlock();
            }
        }
        // A commit that was appended while another thread was applying is seen here, or by that thread.
        pipeline.signalIfNeeded();
        return commit;
    }

    /** Nothing is left: members of a set do not write on such threads. */
    @Override
    public boolean applyLeft() {
        return false;
    }

    /** Whatever has been appended may wait for other members. */
    @Override
    public void applyAll() {}

    private void run() {
        try {
            while (pipeline.awaitWork()) {
                takeWaiting();
                proposeNext();
            }
        } catch (InterruptedException e) {
            // Nobody does that; whoever would wants this thread to end.
            Thread.currentThread().interrupt();
        }
    }

    /** Does not take the lock for applying if there is nothing to apply. */
    private void takeWaiting() {
        if (pipeline.hasSomeToTake()) {
            applying.lock();
            try {
                takeNext();
            } finally {
                applying.unlock();
            }
        }
    }

    /** Assigns positions to some waiting commits, and applies them if they can be undone; with the lock for applying. */
    private void takeNext() {
        List<Commit> group = pipeline.nextGroup();
        if (!group.isEmpty()) {
            take(group);
        }
    }

    private void take(List<Commit> group) {
        try {
            List<CommitRecord> records =
                    group.stream().map(each -> sequencer.sequence(each.draft())).toList();
            long bytes = records.stream().mapToLong(CommitRecord::bytes).sum();
            long undoBytes = applyAhead(group, records, bytes);
            boolean isAhead = undoBytes >= 0;
            long[] ahead = isAhead ? new long[] {records.getLast().place().sequence()} : new long[0];
            pipeline.ready(new Flight(records, group, ahead, bytes + Math.max(0, undoBytes)));
        } catch (RuntimeException | Error e) {
            // It ends the process; until then, no thread may wait for these commits, and none may follow them.
            pipeline.halt();
            CommandException told = cannotWrite(e);
            group.forEach(each -> each.failed(told));
            committed.fail(told);
            applier.fail(told);
            events.fatal(e);
        }
    }

    /** For clients that hear of it before the process has ended: another member will be primary, where they may retry. */
    private static CommandException cannotWrite(Throwable cause) {
        return new CommandException(
                ErrorCode.InterruptedDueToReplStateChange,
                "operation was interrupted: this member cannot write and ends, and the write may or may not have"
                        + " happened: %s",
                cause);
    }

    /** The size of the undo rows; -1 if there are none and nothing was done. */
    private long applyAhead(List<Commit> group, List<CommitRecord> records, long bytes) {
        if (!group.getFirst().draft().hasWayBack() || bytes > Flight.PACKED_BYTES_MAX) {
            return -1;
        }
        long time = records.getLast().clusterTime();
        long undoBytes = applier.applyAhead(
                records, () -> group.forEach(each -> each.originator().applying(time)));
        if (undoBytes >= 0) {
            groups.incrementAndGet();
            for (Commit each : group) {
                each.originator().applied();
                each.applied(time, false);
            }
        }
        return undoBytes;
    }

    /** By one thread, so in order. A long commit has as many entries in flight at a time as short ones. */
    private void proposeNext() {
        Flight next = pipeline.takeOff();
        if (next == null) {
            return;
        }
        long inTerm = next.records.getFirst().place().term();
        for (byte[] entry : EntryCodec.encode(next.records, entryBytesMax)) {
            if (!pipeline.awaitTurn(next)) {
                break;
            }
            watch(proposer.propose(entry, inTerm), next);
        }
        settled(next, true);
    }

    /**
     * {@link #apply} handles entries that are committed, before this; entries that never will be are handled here. A flight
     * with an unknown outcome stays as it is, and is not packed with others: its entry would be taken for all of them. The
     * term is over then, which the engine reports separately.
     */
    private void watch(Future<Outcome> proposal, Flight flight) {
        Thread.ofVirtual().name("semel-outcome").start(() -> {
            try {
                Outcome outcome = proposal.get();
                if (!(outcome instanceof Outcome.Unknown)) {
                    settled(flight, outcome instanceof Outcome.Applied);
                }
            } catch (ExecutionException e) {
                events.fatal(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void settled(Flight flight, boolean isInLog) {
        if (pipeline.settled(flight, isInLog)) {
            LockSupport.parkNanos(REFUSED_PAUSE_NANOS);
            pipeline.again();
        }
    }

    // ---- entries of the log, on every member

    /** In the order of the log; by one thread. */
    void apply(List<Entry> entries) {
        for (Entry each : entries) {
            LogPosition position =
                    new LogPosition(each.position().term(), each.position().index());
            Content content = EntryCodec.decode(each.bytes());
            applying.lock();
            try {
                if (!delay.isOn()) {
                    apply(content, position);
                } else if (!pipeline.isHalted()) {
                    delay.hold(position, each.bytes(), content);
                    isHolding = true;
                }
            } finally {
                applying.unlock();
            }
        }
    }

    /**
     * Applies entries of a delayed member whose time has come, a limited number of them.
     *
     * @return whether more of them are due
     */
    boolean release() {
        for (int count = 0; count < RELEASED_AT_ONCE_MAX && isHolding; count++) {
            applying.lock();
            try {
                if (isClosed || pipeline.isHalted() || !releaseNext()) {
                    return false;
                }
            } finally {
                applying.unlock();
            }
        }
        return isHolding;
    }

    /** The position stays: what was held behind it is in the database already. */
    private boolean releaseNext() {
        byte[] entry = delay.due();
        if (entry != null) {
            delay.taken();
            apply(EntryCodec.decode(entry), applier.applied().log());
            if (!parts.isBegun()) {
                delay.removeTaken();
            }
        }
        beginIfPossible();
        isHolding = !delay.isEmpty() || awaitedTerm != 0;
        return entry != null;
    }

    private void apply(Content content, LogPosition position) {
        switch (content) {
            case Whole whole -> apply(whole, position);
            case Part part -> apply(part, position);
        }
    }

    private void apply(Whole whole, LogPosition position) {
        Flight own = pipeline.landing(whole);
        if (own == null) {
            applyOthers(whole.decoded(), position);
        } else {
            land(own, position);
        }
    }

    private void apply(Part part, LogPosition position) {
        CommitRecord complete = parts.add(part);
        if (complete != null) {
            Flight own = pipeline.landing(part);
            if (own == null) {
                applyOthers(List.of(complete), position);
            } else {
                land(own, position);
            }
        }
    }

    private void applyOthers(List<CommitRecord> records, LogPosition position) {
        if (pipeline.isHalted() || !applier.isNext(records.getFirst())) {
            return;
        }
        applier.apply(records, position, () -> {});
        groups.incrementAndGet();
        committed.advance(records.getLast().clusterTime());
    }

    private void land(Flight own, LogPosition position) {
        long time = own.time();
        if (own.isAhead()) {
            applier.committed(own.ahead, position);
            committed.advance(time);
            own.commits.forEach(Commit::durable);
        } else {
            applier.apply(
                    own.records,
                    position,
                    () -> own.commits.forEach(each -> each.originator().applying(time)));
            groups.incrementAndGet();
            committed.advance(time);
            for (Commit each : own.commits) {
                each.originator().applied();
                each.applied(time, true);
            }
        }
        pipeline.landed(own);
    }

    // ---- waiting

    @Override
    public long durableTime() {
        return committed.reached();
    }

    @Override
    public void awaitDurable(long clusterTime, Interruption interruption) {
        committed.await(clusterTime, interruption);
    }

    @Override
    public boolean awaitDurableAfter(long clusterTime, Interruption interruption, LongSupplier remainingNanos) {
        return committed.await(clusterTime + 1, interruption, remainingNanos);
    }

    @Override
    public void whenDurable(long clusterTime, Runnable wake) {
        committed.whenReached(clusterTime, wake);
    }

    /** Nothing to do: every applied commit is proposed at once. */
    @Override
    public void durabilityWanted(long clusterTime) {}

    @Override
    public long groups() {
        return groups.get();
    }

    @Override
    public long syncs() {
        return 0;
    }

    @Override
    public void close() {
        pipeline.close();
        applying.lock();
        try {
            isClosed = true;
        } finally {
            applying.unlock();
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        notWritable();
        parts.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
