package dev.semel.cluster;

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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The commit log of a member of a replica set. The primary assigns positions to commits and applies them at once, with undo
 * rows ({@link Applier#applyAhead}), so that locks do not wait for other members; it packs waiting commits into one entry
 * and proposes entries in order. A commit is durable when a majority has it. The other members apply entries in the order
 * of the consensus log. All members skip an entry that does not follow the one before it, because the consensus log has
 * refused one between them, and the primary proposes it again.
 *
 * <p>Commits without small undo rows (removed ranges, ingested files, more than an entry holds) are proposed first and
 * applied when the consensus log has committed them; commits after such a commit wait until then.
 *
 * <p>A primary that steps down while commits are applied ahead applies nothing more: its data must be reopened, which
 * undoes them.
 */
final class RaftCommitLog implements CommitLog {
    private static final int ENTRIES_IN_FLIGHT_MAX = 4;

    /** Limit of commits that are applied ahead, with their undo rows; beyond it writers wait. */
    private static final long AHEAD_BYTES_MAX = 32 << 20;

    /** Pause before a refused entry is proposed again: the leader is handing over, or is overloaded. */
    private static final long REFUSED_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

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

    /** Held while commits are applied or sequenced, and while this member's role changes; taken before the other lock. */
    private final ReentrantLock applying = new ReentrantLock();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /**
     * Without a position yet: at most one for each client, whose write set counts in the memory account until it is applied.
     * Guarded by the lock, as is all that follows.
     */
    private final Deque<Commit> waiting = new ArrayDeque<>();

    /** With a position, and not proposed yet or refused, in order. */
    private final Deque<Flight> ready = new ArrayDeque<>();

    /** Proposed, and not applied as an entry of the log yet, in order. */
    private final Deque<Flight> flying = new ArrayDeque<>();

    /** The size of all ready and flying commits that are applied ahead. */
    private long aheadBytes;

    /** The term in which this member is primary; 0 if it is not. */
    private long term;

    /** Whether an entry was refused, so that the members will skip those behind it. */
    private boolean isRefused;

    /** Whether another member is about to take over, so that nothing more is applied ahead. */
    private boolean isHeld;

    /** Whether commits that this member had applied ahead may be lost. */
    private boolean isHalted;

    private boolean isClosed;

    /** Touched by the thread that applies. */
    private final CommitParts parts;

    private final AtomicLong groups = new AtomicLong();

    RaftCommitLog(
            Sequencer sequencer, Applier applier, Proposer proposer, int entryBytesMax, Path folder, Events events) {
        this.sequencer = sequencer;
        this.applier = applier;
        this.proposer = proposer;
        this.entryBytesMax = entryBytesMax;
        this.events = events;
        this.parts = new CommitParts(folder);
        this.committed = new TimeGate(applier.applied().clusterTime());
        this.thread = Thread.ofPlatform()
                .name("semel-propose")
                .daemon(true)
                .uncaughtExceptionHandler((where, e) -> events.fatal(e))
                .start(this::run);
    }

    // ---- what this member is

    /** It is primary from now on; everything of earlier terms is applied. */
    void writable(long newTerm) {
        applying.lock();
        lock.lock();
        try {
            if (isHalted) {
                return;
            }
            sequencer.begin(newTerm, applier.applied());
            term = newTerm;
            isRefused = false;
            isHeld = false;
            changed.signalAll();
        } finally {
            lock.unlock();
            applying.unlock();
        }
    }

    boolean isWritable(long inTerm) {
        lock.lock();
        try {
            return term == inTerm;
        } finally {
            lock.unlock();
        }
    }

    /** It is no longer primary. The outcome of commits in flight is not known here. */
    void notWritable() {
        CommandException why = new CommandException(
                ErrorCode.InterruptedDueToReplStateChange,
                "operation was interrupted: this member is not the primary any more, and the write may or may not"
                        + " have happened");
        List<Commit> unapplied = new ArrayList<>();
        List<Commit> ahead = new ArrayList<>();
        boolean isLost;
        applying.lock();
        lock.lock();
        try {
            term = 0;
            unapplied.addAll(waiting);
            waiting.clear();
            for (Deque<Flight> flights : List.of(ready, flying)) {
                flights.forEach(each -> (each.isAhead() ? ahead : unapplied).addAll(each.commits));
                flights.clear();
            }
            aheadBytes = 0;
            isLost = !ahead.isEmpty();
            isHalted |= isLost;
            changed.signalAll();
        } finally {
            lock.unlock();
            applying.unlock();
        }
        if (isLost) {
            committed.fail(why);
        }
        ahead.forEach(each -> each.failed(why));
        for (Commit each : unapplied) {
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
        lock.lock();
        try {
            isHeld = true;
            long left = atMost.toNanos();
            while ((!ready.isEmpty() || !flying.isEmpty()) && left > 0) {
                left = changed.awaitNanos(left);
            }
            return ready.isEmpty() && flying.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** The other member did not take over. */
    void goOn() {
        lock.lock();
        try {
            isHeld = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- commits of this member

    /**
     * The thread that commits also applies, if no other thread does at this moment: that saves two thread switches, during
     * which others would wait for its locks. Everything else is left to the thread that proposes.
     */
    @Override
    public Commit append(CommitDraft draft, Originator originator) {
        Commit commit = enqueue(draft, originator);
        if (applying.tryLock()) {
            try {
                takeNext();
            } finally {
                applying.unlock();
            }
        }
        signalIfNeeded();
        return commit;
    }

    private Commit enqueue(CommitDraft draft, Originator originator) {
        lock.lock();
        try {
            if (isClosed) {
                throw new CommandException(
                        ErrorCode.ShutdownInProgress, "The server is in quiesce mode and will shut down");
            }
            if (term == 0) {
                throw new CommandException(ErrorCode.NotWritablePrimary, "not primary");
            }
            Commit commit = new Commit(this, draft, originator);
            waiting.add(commit);
            return commit;
        } finally {
            lock.unlock();
        }
    }

    /** A commit that was appended while another thread was applying is seen here, or by that thread. */
    private void signalIfNeeded() {
        lock.lock();
        try {
            if (canTake() || canPropose()) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        while (awaitWork()) {
            takeWaiting();
            proposeNext();
        }
    }

    /** False when this is closed. */
    private boolean awaitWork() {
        lock.lock();
        try {
            while (!isClosed && !canTake() && !canPropose()) {
                changed.awaitUninterruptibly();
            }
            return !isClosed;
        } finally {
            lock.unlock();
        }
    }

    private boolean canTake() {
        return term != 0 && !isHeld && !waiting.isEmpty() && aheadBytes < AHEAD_BYTES_MAX && !isHeldUp();
    }

    /** Whether there is a commit that is applied only when the log has it: those behind it must wait for it. */
    private boolean isHeldUp() {
        Flight last = ready.isEmpty() ? flying.peekLast() : ready.peekLast();
        return last != null && !last.isAhead();
    }

    private boolean canPropose() {
        return term != 0 && !isRefused && !ready.isEmpty() && flying.size() < ENTRIES_IN_FLIGHT_MAX;
    }

    /** Does not take the lock for applying if there is nothing to apply. */
    private void takeWaiting() {
        if (hasSomeToTake()) {
            applying.lock();
            try {
                takeNext();
            } finally {
                applying.unlock();
            }
        }
    }

    private boolean hasSomeToTake() {
        lock.lock();
        try {
            return canTake();
        } finally {
            lock.unlock();
        }
    }

    /** Assigns positions to some waiting commits, and applies them if they can be undone; with the lock for applying. */
    private void takeNext() {
        List<Commit> group = nextGroup();
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
            ready(new Flight(records, group, ahead, bytes + Math.max(0, undoBytes)));
        } catch (RuntimeException | Error e) {
            // It ends the process; until then, no thread may wait for these commits, and none may follow them.
            halt();
            group.forEach(each -> each.failed(e));
            committed.fail(e);
            applier.fail(e);
            events.fatal(e);
        }
    }

    private void halt() {
        lock.lock();
        try {
            term = 0;
            isHalted = true;
        } finally {
            lock.unlock();
        }
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

    /** As many commits as fit into an entry; a commit that cannot be undone is alone. */
    private List<Commit> nextGroup() {
        lock.lock();
        try {
            List<Commit> group = new ArrayList<>();
            if (!canTake()) {
                return group;
            }
            Commit next = waiting.poll();
            long bytes = 0;
            while (next != null) {
                group.add(next);
                bytes += next.draft().bytes();
                Commit following = waiting.peek();
                boolean fits = following != null
                        && next.draft().hasWayBack()
                        && following.draft().hasWayBack()
                        && group.size() < Flight.COMMITS_MAX
                        && bytes + following.draft().bytes() <= Flight.PACKED_BYTES_MAX;
                next = fits ? waiting.poll() : null;
            }
            return group;
        } finally {
            lock.unlock();
        }
    }

    private void ready(Flight flight) {
        lock.lock();
        try {
            ready.add(flight);
            if (flight.isAhead()) {
                aheadBytes += flight.bytes;
            }
        } finally {
            lock.unlock();
        }
    }

    /** By one thread, so in order. A long commit has as many entries in flight at a time as short ones. */
    private void proposeNext() {
        Flight next = takeOff();
        if (next == null) {
            return;
        }
        long inTerm = next.records.getFirst().place().term();
        for (byte[] entry : EntryCodec.encode(next.records, entryBytesMax)) {
            if (!awaitTurn(next)) {
                break;
            }
            watch(proposer.propose(entry, inTerm), next);
        }
        settled(next, true);
    }

    private @Nullable Flight takeOff() {
        lock.lock();
        try {
            if (!canPropose()) {
                return null;
            }
            Flight next = packed();
            // For the thread that proposes its entries.
            next.outstanding = 1;
            flying.add(next);
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** False if another entry would be skipped. */
    private boolean awaitTurn(Flight flight) {
        lock.lock();
        try {
            while (isOnItsWay(flight) && flight.outstanding > ENTRIES_IN_FLIGHT_MAX) {
                changed.awaitUninterruptibly();
            }
            if (!isOnItsWay(flight)) {
                return false;
            }
            flight.outstanding++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean isOnItsWay(Flight flight) {
        return !isClosed && !isRefused && flying.contains(flight);
    }

    private Flight packed() {
        List<Flight> several = new ArrayList<>();
        Flight packed = ready.remove();
        several.add(packed);
        while (!ready.isEmpty() && packed.hasRoomFor(ready.peek())) {
            several.add(ready.remove());
            packed = Flight.of(several);
        }
        return packed;
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

    /** One of its entries has an outcome. If it was not applied, it is proposed again, and so are those behind it. */
    private void settled(Flight flight, boolean isInLog) {
        boolean isAgain = false;
        lock.lock();
        try {
            flight.outstanding--;
            isRefused |= flying.contains(flight) && (!isInLog || flight.outstanding == 0);
            isAgain = isRefused && flying.stream().allMatch(each -> each.outstanding == 0);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (isAgain) {
            LockSupport.parkNanos(REFUSED_PAUSE_NANOS);
            again();
        }
    }

    private void again() {
        lock.lock();
        try {
            while (!flying.isEmpty()) {
                ready.addFirst(flying.removeLast());
            }
            isRefused = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- entries of the log, on every member

    /** In the order of the log; by one thread. */
    void apply(List<Entry> entries) {
        for (Entry each : entries) {
            LogPosition position =
                    new LogPosition(each.position().term(), each.position().index());
            applying.lock();
            try {
                switch (EntryCodec.decode(each.bytes())) {
                    case Whole whole -> apply(whole, position);
                    case Part part -> apply(part, position);
                }
            } finally {
                applying.unlock();
            }
        }
    }

    private void apply(Whole whole, LogPosition position) {
        Flight own = landing(whole);
        if (own == null) {
            applyOthers(whole.decoded(), position);
        } else {
            land(own, position);
        }
    }

    private void apply(Part part, LogPosition position) {
        CommitRecord complete = parts.add(part);
        if (complete != null) {
            Flight own = landing(part);
            if (own == null) {
                applyOthers(List.of(complete), position);
            } else {
                land(own, position);
            }
        }
    }

    /** The flight whose entry is committed, if it is one of this member's. */
    private @Nullable Flight landing(EntryCodec.Content content) {
        lock.lock();
        try {
            Flight first = flying.peek();
            return first != null && first.is(content) ? first : null;
        } finally {
            lock.unlock();
        }
    }

    private void applyOthers(List<CommitRecord> records, LogPosition position) {
        if (isHalted() || !applier.isNext(records.getFirst())) {
            return;
        }
        applier.apply(records, position, () -> {});
        groups.incrementAndGet();
        committed.advance(records.getLast().clusterTime());
    }

    private boolean isHalted() {
        lock.lock();
        try {
            return isHalted;
        } finally {
            lock.unlock();
        }
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
        landed(own);
    }

    private void landed(Flight own) {
        lock.lock();
        try {
            if (!flying.remove(own)) {
                // The term has ended meanwhile, and its commits have failed with an unknown outcome.
                ready.remove(own);
            }
            if (own.isAhead()) {
                aheadBytes -= own.bytes;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
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
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
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
