package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shared and exclusive locks on points and ranges of key spaces; first come, first served, except that who already has a
 * weaker lock goes ahead.
 *
 * <p>One mutex guards it all, held for a search and an insertion at a time: circles of waiting owners go across key spaces,
 * and an uncontended mutex costs less than the search. A request that waits is granted by whoever makes it possible, so a
 * wakeup cannot be missed, nor a lock be snatched by a latecomer between release and wakeup.
 *
 * <p>When a new wait closes a circle, a plain statement in it is told {@link DeadlockVictim}, because it can begin again
 * without its client noticing; the newcomer if it is one, and also if there is none.
 */
public final class LockTable implements Locks {
    private static final int NONE = -1;
    private static final long LONG_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How often a statement behind locks without an end looks whether that still is so, if its lock timeout is short. */
    private static final long RECHECK_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(10);

    private static final Comparator<LockRequest> IN_ORDER = Comparator.comparingLong(each -> each.order);

    private final LongSupplier nanoTime;
    private final InstantSource clock;
    private final int wholes;
    private final int names;
    private final LongSupplier bytesMax;
    private final ReentrantLock mutex = new ReentrantLock();

    // All of this is guarded by the mutex.
    private final List<LockSpace> spaces = new ArrayList<>();
    private long lastOrder;
    private long bytesAfterJoining;
    private int pending;
    private long waits;
    private long longWaits;
    private long longWaitNanos;
    private long timeouts;
    private long deadlocks;
    private long escalations;
    private long escalationNanos;

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
        this.names = names;
        this.bytesMax = bytesMax;
    }

    @Override
    public void lock(LockOwner owner, int space, byte[] key, LockMode mode, Interruption interruption) {
        lock(owner, space, KeyRange.point(key), mode, interruption);
    }

    @Override
    public void lock(LockOwner owner, int space, KeyRange range, LockMode mode, Interruption interruption) {
        LockRequest request;
        mutex.lock();
        try {
            LockSpace at = space(space);
            if (at.covers(owner, range, mode)) {
                return;
            }
            limitMemory();
            LockOwner holder = at.conflict(owner, range, mode);
            if (holder != null && isImpatient(owner, at)) {
                throw writeConflict();
            }
            if (holder == null && (at.waiting.isEmpty() || isImpatient(owner, at))) {
                at.insert(owner, range, mode);
                return;
            }
            long order = at.hasAny(owner, range) ? Long.MIN_VALUE + ++lastOrder : ++lastOrder;
            request = new LockRequest(owner, at, range, mode, clock.instant(), order);
            LockOwner blocker = at.blocker(request);
            if (blocker == null) {
                at.insert(owner, range, mode);
                return;
            }
            enqueue(request, blocker);
            request.isTimed = isTimeLimited(request);
            breakCircles(request);
            if (owner.policy().timeoutNanos() <= 0) {
                giveUp(request, null);
            }
        } finally {
            mutex.unlock();
        }
        await(request, interruption);
    }

    private LockSpace space(int number) {
        while (spaces.size() <= number) {
            spaces.add(new LockSpace(spaces.size()));
        }
        return spaces.get(number);
    }

    /** Session transactions wait for no row. Neither do they wait in line for one: the queue's head must not suffer. */
    private boolean isImpatient(LockOwner owner, LockSpace space) {
        return owner.is(LockPolicy.Kind.SESSION_TRANSACTION) && space.number != wholes;
    }

    private void enqueue(LockRequest request, LockOwner blocker) {
        request.space.enqueue(request);
        request.owner.waiting = request;
        watch(request, blocker);
        pending++;
        waits++;
    }

    private static void watch(LockRequest request, LockOwner blocker) {
        request.witness = blocker;
        blocker.watchers.add(request);
    }

    private void breakCircles(LockRequest newest) {
        while (true) {
            List<LockOwner> circle = WaitGraph.circleThrough(newest.owner);
            if (circle.isEmpty()) {
                return;
            }
            deadlocks++;
            LockRequest victim = circle.stream()
                    .filter(each -> each.is(LockPolicy.Kind.STATEMENT))
                    .findFirst()
                    .map(each -> each.waiting)
                    .orElse(newest);
            withdraw(victim, LockRequest.Outcome.VICTIM);
            if (victim == newest) {
                throw deadlock(newest);
            }
            LockSupport.unpark(victim.thread);
        }
    }

    /** Ends a wait without a lock. Those behind it may go on. */
    private void withdraw(LockRequest request, LockRequest.Outcome outcome) {
        leaveQueue(request, outcome);
        LockOwner witness = request.witness;
        if (witness != null) {
            witness.watchers.remove(request);
        }
        lookAgain(request.owner);
    }

    private void leaveQueue(LockRequest request, LockRequest.Outcome outcome) {
        request.outcome = outcome;
        request.owner.waiting = null;
        request.space.dequeue(request);
        pending--;
        long waited = TimeUnit.MILLISECONDS.toNanos(clock.millis() - request.since.toEpochMilli());
        if (waited > LONG_WAIT_NANOS) {
            longWaits++;
            longWaitNanos += waited;
        }
    }

    /** After an owner has let go of something: grants what only he was in the way of. */
    private void lookAgain(LockOwner owner) {
        if (owner.watchers.isEmpty()) {
            return;
        }
        List<LockRequest> watchers = owner.watchers;
        owner.watchers = new ArrayList<>(0);
        watchers.sort(IN_ORDER);
        for (LockRequest each : watchers) {
            LockOwner blocker = each.space.blocker(each);
            if (blocker != null) {
                watch(each, blocker);
            } else {
                each.space.insert(each.owner, each.range, each.mode);
                leaveQueue(each, LockRequest.Outcome.GRANTED);
                LockSupport.unpark(each.thread);
            }
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
            long timeLeft = request.owner.policy().timeoutNanos() - (nanoTime.getAsLong() - begun);
            if (stop != null || timeLeft <= 0) {
                giveUp(request, stop);
            }
            if (request.outcome == LockRequest.Outcome.WAITING) {
                interruption.park(this, timeLeft > 0 ? timeLeft : recheckNanos(request));
                interrupted = Thread.currentThread().isInterrupted();
            }
        }
        if (request.outcome == LockRequest.Outcome.VICTIM) {
            throw deadlock(request);
        }
    }

    private static long recheckNanos(LockRequest request) {
        return Math.max(RECHECK_NANOS_MIN, request.owner.policy().timeoutNanos());
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
        mutex.lock();
        try {
            if (request.outcome != LockRequest.Outcome.WAITING) {
                return;
            }
            if (stop == null && !isTimeLimited(request)) {
                return;
            }
            CommandException reason = stop != null ? stop : timeout(request);
            withdraw(request, LockRequest.Outcome.WITHDRAWN);
            if (stop == null) {
                timeouts++;
            }
            throw reason;
        } finally {
            mutex.unlock();
        }
    }

    /**
     * A plain statement waits as long as it may run, but not for a transaction that has no end of its own, and not for a
     * collection that a transaction has made.
     */
    private boolean isTimeLimited(LockRequest request) {
        if (!request.owner.is(LockPolicy.Kind.STATEMENT)) {
            return true;
        }
        boolean isName = request.space.number == names;
        return blockers(request).stream()
                .anyMatch(each -> each.is(LockPolicy.Kind.TOKUMX_TRANSACTION)
                        || (isName && each.is(LockPolicy.Kind.SESSION_TRANSACTION)));
    }

    private static Set<LockOwner> blockers(LockRequest request) {
        Set<LockOwner> blockers = new LinkedHashSet<>();
        request.space.forEachBlocker(request, blockers::add);
        return blockers;
    }

    private CommandException timeout(LockRequest request) {
        Set<LockOwner> owners = blockers(request);
        List<Long> blockers = owners.stream().map(LockOwner::id).toList();
        boolean isForSession = owners.stream().noneMatch(each -> each.is(LockPolicy.Kind.TOKUMX_TRANSACTION));
        return switch (request.owner.policy().kind()) {
            case STATEMENT -> isForSession ? lockTimeout(blockers) : notGranted(blockers);
            case TOKUMX_TRANSACTION -> notGranted(blockers);
            case SESSION_TRANSACTION -> lockTimeout(blockers).withLabel("TransientTransactionError");
            case CATALOG_CHANGE -> lockTimeout(blockers);
        };
    }

    private static CommandException notGranted(List<Long> blockers) {
        return new CommandException(
                ErrorCode.location(16759),
                "Lock not granted within the lock timeout, held or asked for earlier by transactions %s. Try again",
                blockers);
    }

    private static CommandException lockTimeout(List<Long> blockers) {
        return new CommandException(
                ErrorCode.LockTimeout,
                "Unable to acquire a collection lock within the lock timeout, held by transactions %s",
                blockers);
    }

    private static RuntimeException deadlock(LockRequest request) {
        String message = "Deadlock found while waiting for a lock. Try again";
        return switch (request.owner.policy().kind()) {
            case STATEMENT -> new DeadlockVictim(message);
            case TOKUMX_TRANSACTION -> new CommandException(ErrorCode.location(16760), message);
            case SESSION_TRANSACTION -> writeConflict();
            case CATALOG_CHANGE -> new CommandException(ErrorCode.LockTimeout, message);
        };
    }

    private static CommandException writeConflict() {
        return new CommandException(
                        ErrorCode.WriteConflict,
                        "Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry"
                                + " your operation or multi-document transaction.")
                .withLabel("TransientTransactionError");
    }

    /** Joins locks when they take too much, first each owner's own, then readers'; refuses more if that does not help. */
    private void limitMemory() {
        long max = bytesMax.getAsLong();
        long taken = bytes();
        // What could not be joined a moment ago cannot be joined now; look again when some more have come.
        if (taken <= max || taken < bytesAfterJoining + max / 16) {
            if (taken > max + max / 8) {
                throw tooManyLocks(max);
            }
            return;
        }
        long begun = nanoTime.getAsLong();
        join(false);
        if (bytes() > max - max / 4) {
            join(true);
        }
        bytesAfterJoining = bytes();
        escalations++;
        escalationNanos += nanoTime.getAsLong() - begun;
        if (bytesAfterJoining > max) {
            throw tooManyLocks(max);
        }
    }

    private void join(boolean readers) {
        for (LockSpace each : spaces) {
            if (each.number != wholes) {
                each.join(readers);
            }
        }
    }

    private long bytes() {
        long bytes = 0;
        for (LockSpace each : spaces) {
            bytes += each.bytes();
        }
        return bytes;
    }

    private static CommandException tooManyLocks(long max) {
        return new CommandException(
                ErrorCode.ExceededMemoryLimit,
                "Locks exceed the limit of %d bytes set by the parameter lockBytesMax",
                max);
    }

    @Override
    public void releaseAll(LockOwner owner) {
        mutex.lock();
        try {
            for (Segment each : owner.segments) {
                each.space.release(each, owner);
            }
            owner.segments.clear();
            lookAgain(owner);
        } finally {
            mutex.unlock();
        }
    }

    @Override
    public List<HeldLock> held(LockOwner owner, int limit) {
        return locked(() -> owner.segments.stream()
                .limit(limit)
                .flatMap(segment -> segment.holds.stream()
                        .filter(each -> each.owner == owner)
                        .map(each -> new HeldLock(owner.id(), segment.space.number, segment.range(), each.mode)))
                .toList());
    }

    @Override
    public List<PendingLock> pending() {
        return locked(() -> spaces.stream()
                .flatMap(space -> space.waiting.stream())
                .sorted(Comparator.comparing(each -> each.since))
                .map(each -> new PendingLock(
                        each.owner.id(),
                        blockers(each).stream().map(LockOwner::id).toList(),
                        each.since,
                        each.space.number,
                        each.range,
                        each.mode))
                .toList());
    }

    @Override
    public LockStatistics statistics() {
        return locked(() -> new LockStatistics(
                pending,
                bytes(),
                bytesMax.getAsLong(),
                waits,
                longWaits,
                TimeUnit.NANOSECONDS.toMicros(longWaitNanos),
                timeouts,
                deadlocks,
                escalations,
                TimeUnit.NANOSECONDS.toMicros(escalationNanos)));
    }

    private <T> T locked(Supplier<T> reading) {
        mutex.lock();
        try {
            return reading.get();
        } finally {
            mutex.unlock();
        }
    }
}
