package dev.semel.cluster;

import dev.semel.store.Commit;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The commits of a primary on their way into the log: they wait for a position, are ready to be proposed, and are proposed.
 * Each method is atomic; none applies or proposes anything itself.
 */
final class CommitPipeline {
    private static final int ENTRIES_IN_FLIGHT_MAX = 4;

    /**
     * While an entry is on its way, commits that do not fill another one wait for it, because an entry costs all members more than the
     * commits in it. No longer than this: an entry that takes longer waits for the network, and more entries would cost it nothing.
     */
    private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Limit of commits that are applied ahead, with their undo rows; beyond it writers wait. */
    private static final long AHEAD_BYTES_MAX = 32 << 20;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final LongSupplier nanoTime;

    /**
     * Without a position yet: at most one for each client, whose write set counts in the memory account until it is applied.
     * Guarded by the lock, as is all that follows.
     */
    private final Deque<Commit> waiting = new ArrayDeque<>();

    /** With a position, and not proposed yet or refused, in order. */
    private final Deque<Flight> ready = new ArrayDeque<>();

    /** Proposed, and not applied as an entry of the log yet, in order. */
    private final Deque<Flight> flying = new ArrayDeque<>();

    /** When the newest of these was proposed. */
    private long tookOff;

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

    /** Commits whose outcome is not known when a term ends. */
    record Unfinished(List<Commit> unapplied, List<Commit> ahead) {}

    CommitPipeline(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    // ---- what this member is

    /** Commits are accepted from now on. */
    void begin(long newTerm) {
        lock.lock();
        try {
            term = newTerm;
            isRefused = false;
            isHeld = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isIn(long inTerm) {
        lock.lock();
        try {
            return term == inTerm;
        } finally {
            lock.unlock();
        }
    }

    /** Removes everything. If anything was applied ahead, nothing may be applied after it. */
    Unfinished end() {
        lock.lock();
        try {
            Unfinished unfinished = new Unfinished(new ArrayList<>(waiting), new ArrayList<>());
            waiting.clear();
            for (Deque<Flight> flights : List.of(ready, flying)) {
                flights.forEach(
                        each -> (each.isAhead() ? unfinished.ahead() : unfinished.unapplied()).addAll(each.commits));
                flights.clear();
            }
            term = 0;
            aheadBytes = 0;
            isHalted |= !unfinished.ahead().isEmpty();
            changed.signalAll();
            return unfinished;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing may be applied any more. */
    void halt() {
        lock.lock();
        try {
            term = 0;
            isHalted = true;
        } finally {
            lock.unlock();
        }
    }

    boolean isHalted() {
        lock.lock();
        try {
            return isHalted;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing more is given out until {@link #goOn}. Whether all that was is in the log, within the given time. */
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

    void goOn() {
        lock.lock();
        try {
            isHeld = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- waiting for a position

    void add(Commit commit) {
        lock.lock();
        try {
            if (isClosed) {
                throw new CommandException(
                        ErrorCode.ShutdownInProgress, "The server is in quiesce mode and will shut down");
            }
            if (term == 0 || !commit.draft().fits(term)) {
                throw notPrimary();
            }
            waiting.add(commit);
        } finally {
            lock.unlock();
        }
    }

    private static CommandException notPrimary() {
        return new CommandException(ErrorCode.NotWritablePrimary, "not primary");
    }

    /** In which commits are accepted. */
    long term() {
        lock.lock();
        try {
            if (term == 0) {
                throw notPrimary();
            }
            return term;
        } finally {
            lock.unlock();
        }
    }

    /** Wakes the thread in {@link #awaitWork} if there is any. */
    void signalIfNeeded() {
        lock.lock();
        try {
            if (canTake() || canPropose()) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** False when this is closed. */
    boolean awaitWork() throws InterruptedException {
        lock.lock();
        try {
            while (!isClosed && !canTake()) {
                // Looked at once: if the time ended between two looks, this thread would wait for that entry.
                long left = nanosToGather();
                if (left > 0) {
                    // Who commits meanwhile does not wake this thread, but the end of the time does.
                    changed.awaitNanos(left);
                } else if (isProposable()) {
                    break;
                } else {
                    changed.await();
                }
            }
            return !isClosed;
        } finally {
            lock.unlock();
        }
    }

    boolean hasSomeToTake() {
        lock.lock();
        try {
            return canTake();
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

    /** As many commits as fit into an entry; a commit that cannot be undone is alone. */
    List<Commit> nextGroup() {
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

    // ---- being proposed

    void ready(Flight flight) {
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

    private boolean canPropose() {
        return isProposable() && nanosToGather() <= 0;
    }

    private boolean isProposable() {
        return term != 0 && !isRefused && !ready.isEmpty() && flying.size() < ENTRIES_IN_FLIGHT_MAX;
    }

    private long nanosToGather() {
        return flying.isEmpty() || isEntryFull() ? 0 : GATHER_NANOS - (nanoTime.getAsLong() - tookOff);
    }

    /** Whether waiting would bring nothing more into the next entry. */
    private boolean isEntryFull() {
        int commits = 0;
        long bytes = 0;
        for (Flight each : ready) {
            if (!each.isAhead() || !each.fitsBehind(commits, bytes)) {
                return true;
            }
            commits += each.records.size();
            bytes += each.bytes;
        }
        return false;
    }

    /** The next to be proposed, packed with those behind it; it has one outcome outstanding, for the thread that proposes. */
    @Nullable
    Flight takeOff() {
        lock.lock();
        try {
            if (!canPropose()) {
                return null;
            }
            Flight next = packed();
            next.outstanding = 1;
            flying.add(next);
            tookOff = nanoTime.getAsLong();
            return next;
        } finally {
            lock.unlock();
        }
    }

    private Flight packed() {
        List<Flight> several = new ArrayList<>();
        Flight first = ready.remove();
        several.add(first);
        int commits = first.records.size();
        long bytes = first.bytes;
        while (first.isAhead() && !ready.isEmpty() && ready.peek().fitsBehind(commits, bytes)) {
            Flight next = ready.remove();
            several.add(next);
            commits += next.records.size();
            bytes += next.bytes;
        }
        return several.size() == 1 ? first : Flight.of(several);
    }

    /** Until another entry of it may be proposed, whose outcome is outstanding then. False if that would be skipped. */
    boolean awaitTurn(Flight flight) {
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

    /**
     * One of its entries has an outcome. If it was not applied, the flight is proposed again, and so are those behind it.
     *
     * @return whether this is the time for {@link #again}: no outcome is outstanding
     */
    boolean settled(Flight flight, boolean isInLog) {
        lock.lock();
        try {
            flight.outstanding--;
            isRefused |= flying.contains(flight) && (!isInLog || flight.outstanding == 0);
            changed.signalAll();
            return isRefused && flying.stream().allMatch(each -> each.outstanding == 0);
        } finally {
            lock.unlock();
        }
    }

    void again() {
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

    // ---- in the log

    /** The flight whose entry is committed, if it is one of this member's. */
    @Nullable
    Flight landing(EntryCodec.Content content) {
        lock.lock();
        try {
            Flight first = flying.peek();
            return first != null && first.is(content) ? first : null;
        } finally {
            lock.unlock();
        }
    }

    void landed(Flight own) {
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
}
