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
import dev.semel.store.RecordCodec;
import dev.semel.store.Sequencer;
import dev.semel.store.TimeGate;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The commit log of a member of a replica set: a commit is applied when a majority of the members has it. The member
 * that writes gives commits their places, packs those that wait into one entry, and proposes entries in order; all members
 * apply entries in the order of the consensus log. Where an entry does not follow the one before it, because the consensus
 * log has refused one between them, it is left out by all of them.
 */
final class RaftCommitLog implements CommitLog {
    private static final int ENTRY_COMMITS_MAX = 512;

    /** What is packed into one entry; a commit that is longer has an entry, or several, of its own. */
    private static final long PACKED_BYTES_MAX = 1 << 20;

    private static final int ENTRIES_IN_FLIGHT_MAX = 4;

    /** Proposes an entry in a term; see {@link dev.semel.replication.ReplicationEngine#propose}. */
    @FunctionalInterface
    interface Proposer {
        Future<Outcome> propose(byte[] entry, long term);
    }

    private final Sequencer sequencer;
    private final Applier applier;
    private final Proposer proposer;
    private final int entryBytesMax;
    private final Consumer<Throwable> fatal;
    private final TimeGate committed;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /**
     * Without a place yet: at most one for each client, whose write set counts in the memory account until it is applied.
     * Guarded by the lock, as is all that follows.
     */
    private final Deque<Commit> waiting = new ArrayDeque<>();

    /** Proposed and without an outcome, in order. */
    private final Deque<Flight> flights = new ArrayDeque<>();

    /** In which this member writes; 0 if it does not. */
    private long term;

    /** Whether places have been given that lead nowhere, so that new ones must wait until the outcome of all is known. */
    private boolean isBroken;

    private boolean isClosed;

    /** Of a commit that comes in several entries. Touched by the thread that applies. */
    private @Nullable ByteBuffer parts;

    private long partsSequence;
    private final AtomicLong groups = new AtomicLong();

    /** Commits on their way together. */
    private record Flight(List<CommitRecord> records, List<Commit> commits) {
        boolean is(EntryCodec.Content content) {
            return records.getFirst().place().term() == content.term()
                    && records.getFirst().place().sequence() == content.sequence();
        }
    }

    RaftCommitLog(
            Sequencer sequencer, Applier applier, Proposer proposer, int entryBytesMax, Consumer<Throwable> fatal) {
        this.sequencer = sequencer;
        this.applier = applier;
        this.proposer = proposer;
        this.entryBytesMax = entryBytesMax;
        this.fatal = fatal;
        this.committed = new TimeGate(applier.applied().clusterTime());
        this.thread = Thread.ofPlatform()
                .name("semel-propose")
                .daemon(true)
                .uncaughtExceptionHandler((where, e) -> fatal.accept(e))
                .start(this::run);
    }

    // ---- what this member is

    /** It writes from now on; everything of earlier terms is applied. */
    void writable(long newTerm) {
        lock.lock();
        try {
            sequencer.begin(newTerm, applier.applied());
            term = newTerm;
            isBroken = false;
            changed.signalAll();
        } finally {
            lock.unlock();
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

    /** It does not write any more. Of what is on its way nobody knows what will become of it. */
    void notWritable() {
        List<Commit> lost = new ArrayList<>();
        lock.lock();
        try {
            term = 0;
            lost.addAll(waiting);
            waiting.clear();
            flights.forEach(each -> lost.addAll(each.commits));
            flights.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        lose(lost);
    }

    private static void lose(List<Commit> lost) {
        for (Commit each : lost) {
            each.originator().lost();
            each.failed(new CommandException(
                    ErrorCode.InterruptedDueToReplStateChange,
                    "operation was interrupted: this member is not the primary any more, and the write may or may not"
                            + " have happened"));
        }
    }

    // ---- commits of this member

    @Override
    public Commit append(CommitDraft draft, Originator originator) {
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
            changed.signalAll();
            return commit;
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        for (Flight next = nextFlight(); next != null; next = nextFlight()) {
            long inTerm = next.records.getFirst().place().term();
            for (byte[] entry : EntryCodec.encode(next.records, entryBytesMax)) {
                watch(proposer.propose(entry, inTerm), next);
            }
        }
    }

    private @Nullable Flight nextFlight() {
        lock.lock();
        try {
            while (!isClosed && !canFly()) {
                changed.awaitUninterruptibly();
            }
            if (isClosed) {
                return null;
            }
            if (isBroken) {
                sequencer.begin(term, applier.applied());
                isBroken = false;
            }
            List<CommitRecord> records = new ArrayList<>();
            List<Commit> commits = new ArrayList<>();
            long bytes = 0;
            Commit next = waiting.poll();
            while (next != null) {
                CommitRecord record = sequencer.sequence(next.draft());
                records.add(record);
                commits.add(next);
                bytes += record.bytes();
                Commit following = waiting.peek();
                boolean hasRoom = following != null
                        && commits.size() < ENTRY_COMMITS_MAX
                        && bytes + following.draft().bytes() <= PACKED_BYTES_MAX;
                next = hasRoom ? waiting.poll() : null;
            }
            Flight flight = new Flight(records, commits);
            flights.add(flight);
            return flight;
        } finally {
            lock.unlock();
        }
    }

    private boolean canFly() {
        return term != 0 && !waiting.isEmpty() && flights.size() < (isBroken ? 1 : ENTRIES_IN_FLIGHT_MAX);
    }

    /** Being applied is told by {@link #apply}; anything else is told here. */
    private void watch(Future<Outcome> proposal, Flight flight) {
        Thread.ofVirtual().name("semel-outcome").start(() -> {
            try {
                Outcome outcome = proposal.get();
                if (!(outcome instanceof Outcome.Applied)) {
                    dropped(flight);
                }
            } catch (ExecutionException e) {
                fatal.accept(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void dropped(Flight flight) {
        lock.lock();
        try {
            if (!flights.remove(flight)) {
                return;
            }
            isBroken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        lose(flight.commits);
    }

    // ---- entries of the log, on every member

    /** In the order of the log; by one thread. */
    void apply(List<Entry> entries) {
        for (Entry each : entries) {
            LogPosition position =
                    new LogPosition(each.position().term(), each.position().index());
            switch (EntryCodec.decode(each.bytes())) {
                case Whole whole -> apply(whole, position);
                case Part part -> apply(part, position);
            }
        }
    }

    private void apply(Whole whole, LogPosition position) {
        Flight own = landing(whole);
        apply(own, own == null ? whole.decoded() : own.records, position);
    }

    private void apply(Part part, LogPosition position) {
        ByteBuffer assembled = parts;
        if (part.from() == 0) {
            assembled = ByteBuffer.allocate(part.length());
            partsSequence = part.sequence();
        }
        if (assembled == null || partsSequence != part.sequence() || assembled.position() != part.from()) {
            parts = null;
            return;
        }
        assembled.put(part.bytes());
        parts = assembled;
        if (!assembled.hasRemaining()) {
            parts = null;
            Flight own = landing(part);
            apply(own, own == null ? List.of(RecordCodec.decode(assembled.array())) : own.records, position);
        }
    }

    /** The flight that arrives, if it is one of this member's. */
    private @Nullable Flight landing(EntryCodec.Content content) {
        lock.lock();
        try {
            Flight first = flights.peek();
            return first != null && first.is(content) ? first : null;
        } finally {
            lock.unlock();
        }
    }

    private void apply(@Nullable Flight own, List<CommitRecord> records, LogPosition position) {
        List<Commit> commits = own == null ? List.of() : own.commits;
        if (!applier.isNext(records.getFirst())) {
            if (own != null) {
                dropped(own);
            }
            return;
        }
        long time = records.getLast().clusterTime();
        applier.apply(
                records,
                position,
                () -> commits.forEach(each -> each.originator().applying(time)));
        groups.incrementAndGet();
        committed.advance(time);
        if (own != null) {
            landed(own);
        }
        for (Commit each : commits) {
            each.originator().applied();
            each.applied(time, true);
        }
    }

    /** Only now: places behind it must not be given anew before it is applied. */
    private void landed(Flight flight) {
        lock.lock();
        try {
            flights.remove(flight);
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

    /** What is applied is durable. */
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
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
