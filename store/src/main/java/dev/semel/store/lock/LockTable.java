package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.thread.MustWait;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shared and exclusive locks on points and ranges of key spaces; first come, first served, except that an owner with a
 * weaker lock goes ahead.
 *
 * <p>Each key space has its own mutex, held for a search and an insertion at a time; requests without a conflict need
 * no other. A request that has to wait takes the one mutex for waits first, because cycles of waiting owners span key
 * spaces: only under both can a request join a queue, leave it, or get a lock from it. Long work, such as releasing or
 * merging very many locks, is done in steps between which other threads can take the mutex.
 *
 * <p>A waiting request is granted by the thread that makes it possible, so a wakeup cannot be missed, nor a lock be taken by
 * a newcomer between release and wakeup: newcomers find the queue.
 *
 * <p>When a new wait closes a cycle, a plain statement in it gets {@link DeadlockVictim}, because it can begin again
 * without its client noticing; the newcomer if it is one, and also if there is none.
 *
 * <p>When locks take too much memory, those of owners with many locks are merged into ranges, which cover keys that were
 * not asked for. Others wait there for the end of the holder, even session transactions: an error that says that the key was
 * changed would be wrong.
 */
public final class LockTable implements Locks {
    private static final int NONE = -1;
    private static final long LONG_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How often a request behind statements looks whether they still are, if its lock timeout is short. */
    private static final long RECHECK_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(10);

    private static final Comparator<LockRequest> IN_ORDER = Comparator.comparingLong(each -> each.order);

    private final LongSupplier nanoTime;
    private final InstantSource clock;
    private final int wholes;
    private final Refusals refusals;

    /** Replaced under the mutex for waits when one is added. */
    private volatile LockSpace[] spaces = {};

    /** Taken before that of a space, never after it. */
    private final ReentrantLock waitsMutex = new ReentrantLock();

    private final LockMemory memory;

    private final AtomicLong conflicts = new AtomicLong();
    private final AtomicLong waits = new AtomicLong();

    // All of this is guarded by the mutex for waits.
    private long lastOrder;
    private int pending;
    private int pendingTransactions;
    private long longWaits;
    private long longWaitNanos;
    private long timeouts;
    private long deadlocks;

    public LockTable(LongSupplier nanoTime, InstantSource clock) {
        this(nanoTime, clock, NONE, NONE, () -> Runtime.getRuntime().maxMemory() / 16);
    }

    /**
     * With a space whose keys stand for whole collections: these are waited for even by session transactions, and are
     * never joined.
     *
     * @param names the space of the names of collections
     */
    public LockTable(LongSupplier nanoTime, InstantSource clock, int wholes, int names, LongSupplier bytesMax) {
        this.nanoTime = nanoTime;
        this.clock = clock;
        this.wholes = wholes;
        this.refusals = new Refusals(wholes, names);
        this.memory = new LockMemory(nanoTime, waitsMutex, wholes, bytesMax);
    }

    @Override
    public void lock(LockOwner owner, int space, byte[] key, LockMode mode, Interruption interruption) {
        lock(owner, space, KeyRange.point(key), mode, interruption);
    }

    @Override
    public void lock(LockOwner owner, int space, KeyRange range, LockMode mode, Interruption interruption) {
        LockSpace at = space(space);
        if (lockAtOnce(at, owner, range, mode)) {
            return;
        }
        conflicts.incrementAndGet();
        MustWait.check();
        LockRequest request = beginWait(at, owner, range, mode);
        if (request != null) {
            await(request, interruption);
        }
    }

    private LockSpace space(int number) {
        LockSpace[] existing = spaces;
        return number < existing.length ? existing[number] : addSpaces(number);
    }

    private LockSpace addSpaces(int number) {
        waitsMutex.lock();
        try {
            int before = spaces.length;
            if (number >= before) {
                LockSpace[] more = Arrays.copyOf(spaces, number + 1);
                for (int i = before; i <= number; i++) {
                    more[i] = new LockSpace(i, memory.bytes());
                }
                spaces = more;
            }
            return spaces[number];
        } finally {
            waitsMutex.unlock();
        }
    }

    /** Without the mutex for waits: true if there is no conflicting lock, and no earlier request that conflicts. */
    private boolean lockAtOnce(LockSpace at, LockOwner owner, KeyRange range, LockMode mode) {
        boolean full = memory.isFull();
        at.mutex.lock();
        try {
            if (!full && at.lines.isEmpty() && at.insertIntoGap(owner, range, mode)) {
                return true;
            }
            Holding own = owner.in(at);
            if (at.covers(own, range, mode)) {
                return true;
            }
            if (!full) {
                return insertIfFree(at, owner, range, mode);
            }
        } finally {
            at.mutex.unlock();
        }
        memory.limit(owner, spaces);
        at.mutex.lock();
        try {
            return insertIfFree(at, owner, range, mode);
        } finally {
            at.mutex.unlock();
        }
    }

    private static boolean insertIfFree(LockSpace at, LockOwner owner, KeyRange range, LockMode mode) {
        Holding own = owner.in(at);
        if (at.conflict(own, range, mode) != null) {
            return false;
        }
        if (!at.lines.isEmpty() && at.lines.nearestConflict(range, mode, at.orderBefore(own, range)) != null) {
            return false;
        }
        at.insert(owner, range, mode);
        return true;
    }

    /** Joins the queue; null if the lock has been granted after all. */
    private @Nullable LockRequest beginWait(LockSpace at, LockOwner owner, KeyRange range, LockMode mode) {
        waitsMutex.lock();
        try {
            LockRequest request = grantOrEnqueue(at, owner, range, mode);
            if (request != null) {
                request.isTimed = isTimeLimited(request);
                breakCycles(request);
                if (request.timeoutNanos() <= 0) {
                    giveUp(request, null);
                }
            }
            return request;
        } finally {
            waitsMutex.unlock();
        }
    }

    private @Nullable LockRequest grantOrEnqueue(LockSpace at, LockOwner owner, KeyRange range, LockMode mode) {
        at.mutex.lock();
        try {
            Holding own = owner.in(at);
            boolean noWait = isNoWait(owner, at);
            if (noWait && at.conflict(own, range, mode) == null) {
                // It does not wait in line either, but must not take a lock that is about to be granted to a waiting
                // request.
                if (at.isDue(range, mode)) {
                    throw Refusals.writeConflict();
                }
                at.insert(owner, range, mode);
                return null;
            }
            if (noWait && at.isAskedFor(own, range, mode)) {
                throw Refusals.writeConflict();
            }
            long order = at.hasAny(own, range) ? Long.MIN_VALUE + ++lastOrder : ++lastOrder;
            LockRequest request = new LockRequest(owner, at, range, mode, noWait, clock.instant(), order);
            LockOwner blocker = at.blocker(request);
            if (blocker == null) {
                at.insert(owner, range, mode);
                return null;
            }
            enqueue(request, blocker);
            return request;
        } finally {
            at.mutex.unlock();
        }
    }

    /** Session transactions wait for no row. Neither do they wait in line for one: the queue's head must not suffer. */
    private boolean isNoWait(LockOwner owner, LockSpace space) {
        return owner.is(LockPolicy.Kind.SESSION_TRANSACTION) && space.number != wholes;
    }

    private void enqueue(LockRequest request, LockOwner blocker) {
        request.space.lines.add(request);
        request.owner.waiting = request;
        watch(request, blocker);
        pending++;
        pendingTransactions += isTransaction(request.owner) ? 1 : 0;
        waits.incrementAndGet();
    }

    private static boolean isTransaction(LockOwner owner) {
        return owner.is(LockPolicy.Kind.TOKUMX_TRANSACTION) || owner.is(LockPolicy.Kind.SESSION_TRANSACTION);
    }

    /** Under the mutex of the space where the blocker is in the way: so it releases later, and sees that it is watched. */
    private static void watch(LockRequest request, LockOwner blocker) {
        request.witness = blocker;
        blocker.watch(request);
    }

    private void breakCycles(LockRequest newest) {
        while (true) {
            List<LockOwner> cycle = WaitGraph.cycleThrough(newest.owner);
            if (cycle.isEmpty()) {
                return;
            }
            deadlocks++;
            LockRequest victim = cycle.stream()
                    .filter(each -> each.is(LockPolicy.Kind.STATEMENT))
                    .findFirst()
                    .map(each -> each.waiting)
                    .orElse(newest);
            withdraw(victim, LockRequest.Outcome.VICTIM);
            if (victim == newest) {
                throw Refusals.deadlock(newest);
            }
            LockSupport.unpark(victim.thread);
        }
    }

    /** Ends a wait without a lock. Those behind it may go on. */
    private void withdraw(LockRequest request, LockRequest.Outcome outcome) {
        request.space.mutex.lock();
        try {
            leaveQueue(request, outcome);
        } finally {
            request.space.mutex.unlock();
        }
        LockOwner witness = request.witness;
        if (witness != null) {
            witness.unwatch(request);
        }
        lookAgain(request.owner);
    }

    private void leaveQueue(LockRequest request, LockRequest.Outcome outcome) {
        request.owner.waiting = null;
        request.space.lines.remove(request);
        pending--;
        pendingTransactions -= isTransaction(request.owner) ? 1 : 0;
        long waited = TimeUnit.MILLISECONDS.toNanos(clock.millis() - request.since.toEpochMilli());
        if (waited > LONG_WAIT_NANOS) {
            longWaits++;
            longWaitNanos += waited;
        }
        // Last: from here on the owner's thread goes its way.
        request.outcome = outcome;
    }

    /** After an owner has released something: grants what only that owner prevented. */
    private void lookAgain(LockOwner owner) {
        Deque<LockOwner> changed = new ArrayDeque<>();
        changed.add(owner);
        while (!changed.isEmpty()) {
            List<LockRequest> watchers = new ArrayList<>(changed.remove().takeWatchers());
            watchers.sort(IN_ORDER);
            for (LockRequest each : watchers) {
                if (!isStillWaiting(each)) {
                    LockSupport.unpark(each.thread);
                    // Those behind it go on if it was refused; and who waits only for what is real may learn that it
                    // is.
                    changed.add(each.owner);
                }
            }
        }
    }

    private static boolean isRefused(LockRequest request) {
        return request.isNoWait
                && request.space.isAskedFor(request.owner.in(request.space), request.range, request.mode);
    }

    private boolean isStillWaiting(LockRequest request) {
        request.space.mutex.lock();
        try {
            LockOwner blocker = request.space.blocker(request);
            if (blocker == null) {
                request.space.insert(request.owner, request.range, request.mode);
                leaveQueue(request, LockRequest.Outcome.GRANTED);
                return false;
            }
            if (isRefused(request)) {
                leaveQueue(request, LockRequest.Outcome.CONFLICT);
                return false;
            }
            watch(request, blocker);
            return true;
        } finally {
            request.space.mutex.unlock();
        }
    }

    private void await(LockRequest request, Interruption interruption) {
        long begun = nanoTime.getAsLong();
        try {
            await(request, interruption, begun - interruption.waitedNanos());
        } finally {
            if (request.isTimed) {
                interruption.waited(nanoTime.getAsLong() - begun);
            }
        }
    }

    /** One limit for all the waits of a statement, as if it had waited in one go since this time. */
    private void await(LockRequest request, Interruption interruption, long begun) {
        boolean interrupted = false;
        while (request.outcome == LockRequest.Outcome.WAITING) {
            CommandException stop = reasonToStop(interruption, interrupted);
            long timeLeft = request.timeoutNanos() - (nanoTime.getAsLong() - begun);
            if (stop != null || timeLeft <= 0) {
                giveUp(request, stop);
            }
            if (request.outcome == LockRequest.Outcome.WAITING) {
                park(request, timeLeft > 0 ? timeLeft : recheckNanos(request), interruption);
                interrupted = Thread.currentThread().isInterrupted();
            }
        }
        if (request.outcome == LockRequest.Outcome.VICTIM) {
            throw Refusals.deadlock(request);
        }
        if (request.outcome == LockRequest.Outcome.CONFLICT) {
            throw Refusals.writeConflict();
        }
    }

    private void park(LockRequest request, long nanosMax, Interruption interruption) {
        try {
            interruption.park(this, nanosMax);
        } catch (StackOverflowError e) {
            // What is left of the stack is not enough to put the thread aside.
            giveUp(
                    request,
                    new CommandException(ErrorCode.Overflow, "the command nests too deeply to wait for a lock"));
        }
    }

    private static long recheckNanos(LockRequest request) {
        return Math.max(RECHECK_NANOS_MIN, request.timeoutNanos());
    }

    private static @Nullable CommandException reasonToStop(Interruption interruption, boolean interrupted) {
        try {
            interruption.check();
        } catch (CommandException e) {
            return e;
        }
        return interrupted ? new CommandException(ErrorCode.Interrupted, "operation was interrupted") : null;
    }

    /** Throws, unless the lock has been granted after all or the lock timeout does not count. */
    private void giveUp(LockRequest request, @Nullable CommandException stop) {
        waitsMutex.lock();
        try {
            if (request.outcome != LockRequest.Outcome.WAITING) {
                return;
            }
            if (stop == null && !isTimeLimited(request)) {
                return;
            }
            CommandException reason = stop != null ? stop : refusals.timeout(request);
            withdraw(request, LockRequest.Outcome.WITHDRAWN);
            if (stop == null) {
                timeouts++;
            }
            throw reason;
        } finally {
            waitsMutex.unlock();
        }
    }

    /**
     * Statements are waited for as long as they run: they wait for no client. Transactions do, so behind them the lock
     * timeout counts.
     */
    private boolean isTimeLimited(LockRequest request) {
        if (!request.owner.is(LockPolicy.Kind.STATEMENT) && !request.isNoWait) {
            return true;
        }
        LockSpace space = request.space;
        space.mutex.lock();
        try {
            // Spares the search of a long queue that contains none.
            return pendingTransactions > 0
                    ? space.anyBlocker(request, LockTable::isTransaction)
                    : space.anyConflict(request.owner.in(space), request.range, request.mode, LockTable::isTransaction);
        } finally {
            space.mutex.unlock();
        }
    }

    // The end

    @Override
    public void releaseAll(LockOwner owner) {
        for (Holding each : owner.holdings()) {
            while (!releaseStep(each)) {
                Steps.giveWay(each.space.mutex);
            }
        }
        owner.holdsNothing();
        memory.released();
        if (owner.isWatched()) {
            waitsMutex.lock();
            try {
                lookAgain(owner);
            } finally {
                waitsMutex.unlock();
            }
        }
    }

    /** True if that was all. */
    private static boolean releaseStep(Holding holding) {
        LockSpace space = holding.space;
        space.mutex.lock();
        try {
            space.release(holding, Steps.SEGMENTS);
            return holding.isEmpty();
        } finally {
            space.mutex.unlock();
        }
    }

    // To look at

    @Override
    public List<HeldLock> held(LockOwner owner, int limit) {
        List<HeldLock> held = new ArrayList<>();
        for (Holding each : owner.holdings()) {
            each.space.mutex.lock();
            try {
                each.addTo(held, limit);
            } finally {
                each.space.mutex.unlock();
            }
        }
        return held;
    }

    @Override
    public List<PendingLock> pending() {
        waitsMutex.lock();
        try {
            List<PendingLock> pending = new ArrayList<>();
            for (LockSpace each : spaces) {
                each.lines.any(line -> {
                    line.forEach(request -> pending.add(describe(request)));
                    return false;
                });
            }
            pending.sort(Comparator.comparing(PendingLock::since));
            return pending;
        } finally {
            waitsMutex.unlock();
        }
    }

    private static PendingLock describe(LockRequest request) {
        return new PendingLock(
                request.owner.id(),
                Refusals.ids(Refusals.blockers(request)),
                request.since,
                request.space.number,
                request.range,
                request.mode);
    }

    @Override
    public long conflicts() {
        return conflicts.get();
    }

    @Override
    public LockStatistics statistics() {
        waitsMutex.lock();
        try {
            return new LockStatistics(
                    pending,
                    memory.bytes().get(),
                    memory.bytesMax(),
                    waits.get(),
                    longWaits,
                    TimeUnit.NANOSECONDS.toMicros(longWaitNanos),
                    timeouts,
                    deadlocks,
                    memory.escalations(),
                    TimeUnit.NANOSECONDS.toMicros(memory.escalationNanos()));
        } finally {
            waitsMutex.unlock();
        }
    }
}
