package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Locks on points and ranges of key spaces, granted in the order of asking. Who begins to wait in a circle is found at
 * once; a plain statement in it gives way, for it can simply run again, otherwise the one who closed the circle.
 *
 * <p>Memory is bounded: an owner with very many locks has them merged into ranges, where nobody else is in between.
 */
public final class LockTable implements Locks {
    /** From how many locks of one owner on they are merged, if that is possible. */
    static final int MERGE_AT = 50_000;

    /** What a lock takes on the heap, roughly. */
    private static final int BYTES_PER_LOCK = 256;

    /** How often a statement that may wait longer looks at least whether that is still so. */
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LongSupplier nanoTime;
    private final InstantSource clock;
    private final long locksMax;
    private final ReentrantLock mutex = new ReentrantLock();

    // Guarded by the mutex.
    private final Map<Integer, Space> spaces = new HashMap<>();
    private final List<Request> waiting = new ArrayList<>();
    private long numbers;
    private long count;

    public LockTable(LongSupplier nanoTime, InstantSource clock) {
        this(nanoTime, clock, Runtime.getRuntime().maxMemory() / 8 / BYTES_PER_LOCK);
    }

    LockTable(LongSupplier nanoTime, InstantSource clock, long locksMax) {
        this.nanoTime = nanoTime;
        this.clock = clock;
        this.locksMax = locksMax;
    }

    @Override
    public void lock(LockOwner owner, int space, byte[] key, LockMode mode, Interruption interruption) {
        Request request;
        mutex.lock();
        try {
            Space in = space(space);
            if (in.covers(owner, key, mode)) {
                return;
            }
            request = in.request(owner, key, mode);
            if (grantOrEnqueue(request)) {
                return;
            }
        } finally {
            mutex.unlock();
        }
        await(request, interruption);
    }

    @Override
    public void lock(LockOwner owner, int space, KeyRange range, LockMode mode, Interruption interruption) {
        Request request;
        mutex.lock();
        try {
            Space in = space(space);
            if (in.covers(owner, range, mode)) {
                return;
            }
            request = in.request(owner, range, mode);
            if (grantOrEnqueue(request)) {
                return;
            }
        } finally {
            mutex.unlock();
        }
        await(request, interruption);
    }

    @Override
    public void releaseAll(LockOwner owner) {
        mutex.lock();
        try {
            for (Grant each : owner.grants) {
                each.space.remove(each);
            }
            count -= owner.grants.size();
            if (!waiting.isEmpty()) {
                for (Grant each : owner.grants) {
                    serve(each.space, each.asRange());
                }
            }
            owner.grants.clear();
        } finally {
            mutex.unlock();
        }
    }

    @Override
    public List<HeldLock> held(LockOwner owner, int limit) {
        mutex.lock();
        try {
            return owner.grants.stream()
                    .limit(limit)
                    .map(each -> new HeldLock(owner.id(), each.space.number, each.asRange(), each.mode))
                    .toList();
        } finally {
            mutex.unlock();
        }
    }

    @Override
    public List<PendingLock> pending() {
        mutex.lock();
        try {
            return waiting.stream()
                    .sorted(Comparator.comparingLong(each -> each.number))
                    .map(each -> new PendingLock(
                            each.owner.id(),
                            WaitForGraph.blockers(each).stream()
                                    .map(LockOwner::id)
                                    .toList(),
                            each.since,
                            each.space.number,
                            each.asRange(),
                            each.mode))
                    .toList();
        } finally {
            mutex.unlock();
        }
    }

    // Under the mutex

    private Space space(int number) {
        return spaces.computeIfAbsent(number, Space::new);
    }

    private boolean grantOrEnqueue(Request request) {
        if (!request.space.isBlocked(request)) {
            reserve(request.owner);
            count += request.space.grant(request) ? 1 : 0;
            return true;
        }
        if (request.owner.policy().kind() == LockPolicy.Kind.SESSION_TRANSACTION && !isIntention(request.mode)) {
            throw new CommandException(
                            ErrorCode.WriteConflict,
                            "Caused by :: Write conflict during plan execution and yielding is disabled. :: Please"
                                    + " retry your operation or multi-document transaction.")
                    .withLabel("TransientTransactionError");
        }
        request.number = numbers++;
        request.since = clock.instant();
        request.space.enqueue(request);
        waiting.add(request);
        request.owner.waiting = request;
        breakCircle(request);
        return false;
    }

    private void breakCircle(Request last) {
        List<LockOwner> circle = WaitForGraph.circle(last.owner);
        while (!circle.isEmpty()) {
            Request victim = circle.stream()
                    .filter(each -> each.policy().kind() == LockPolicy.Kind.STATEMENT)
                    .map(each -> each.waiting)
                    .filter(each -> each != null)
                    .findFirst()
                    .orElse(last);
            cancel(victim);
            victim.deadlocked();
            LockSupport.unpark(victim.thread);
            circle = victim == last ? List.of() : WaitForGraph.circle(last.owner);
        }
    }

    /** If it still waits, it does not any more. */
    private void cancel(Request request) {
        if (waiting.remove(request)) {
            request.owner.waiting = null;
            count += request.space.cancel(request);
            waiting.removeIf(Request::isGranted);
        }
    }

    private void serve(Space space, KeyRange freed) {
        count += space.serve(freed);
        waiting.removeIf(Request::isGranted);
    }

    private void reserve(LockOwner owner) {
        if (owner.grants.size() >= owner.mergeAt || count >= locksMax) {
            int before = owner.grants.size();
            LockMerge.merge(owner);
            count += owner.grants.size() - before;
            owner.mergeAt = owner.grants.size() * 2 + MERGE_AT;
        }
        if (count >= locksMax) {
            throw new CommandException(
                    ErrorCode.ExceededMemoryLimit, "the lock table is full: it takes up to %d locks", locksMax);
        }
    }

    private static boolean isIntention(LockMode mode) {
        return mode == LockMode.INTENT_SHARED || mode == LockMode.INTENT_EXCLUSIVE;
    }

    // Waiting

    private void await(Request request, Interruption interruption) {
        LockPolicy policy = request.owner.policy();
        long start = nanoTime.getAsLong();
        try {
            while (request.isWaiting()) {
                interruption.check();
                long left = policy.timeoutNanos() - (nanoTime.getAsLong() - start);
                if (left <= 0 && !mayWaitLonger(request)) {
                    throw timedOut(request);
                }
                interruption.park(this, left > 0 ? left : Math.max(policy.timeoutNanos(), LOOK_AGAIN_NANOS));
            }
        } catch (CommandException e) {
            withdraw(request);
            throw e;
        }
        if (request.isDeadlocked()) {
            throw deadlocked(request);
        }
    }

    /** Unless it was granted at the last moment: then the owner has one lock more until its end. */
    private void withdraw(Request request) {
        mutex.lock();
        try {
            cancel(request);
        } finally {
            mutex.unlock();
        }
    }

    /** A plain statement waits as long as its command may take, except behind a transaction without an end of its own. */
    private boolean mayWaitLonger(Request request) {
        if (request.owner.policy().kind() != LockPolicy.Kind.STATEMENT) {
            return false;
        }
        mutex.lock();
        try {
            return WaitForGraph.blockers(request).stream()
                    .noneMatch(each -> each.policy().kind() == LockPolicy.Kind.TOKUMX_TRANSACTION);
        } finally {
            mutex.unlock();
        }
    }

    private static CommandException timedOut(Request request) {
        return switch (request.owner.policy().kind()) {
            case STATEMENT, TOKUMX_TRANSACTION ->
                new CommandException(ErrorCode.location(16759), "Lock not granted. Try restarting the transaction.");
            case SESSION_TRANSACTION ->
                new CommandException(
                                ErrorCode.LockTimeout,
                                "Unable to acquire lock within %dms",
                                request.owner.policy().timeoutNanos() / 1_000_000)
                        .withLabel("TransientTransactionError");
            case CATALOG_CHANGE ->
                new CommandException(
                        ErrorCode.LockTimeout,
                        "Unable to acquire an exclusive lock within %dms",
                        request.owner.policy().timeoutNanos() / 1_000_000);
        };
    }

    private static RuntimeException deadlocked(Request request) {
        return switch (request.owner.policy().kind()) {
            case STATEMENT -> new DeadlockVictim("waiting for the lock would close a circle");
            case TOKUMX_TRANSACTION ->
                new CommandException(
                        ErrorCode.location(16760), "Deadlock detected during lock acquisition. Try again.");
            case SESSION_TRANSACTION, CATALOG_CHANGE -> timedOut(request);
        };
    }
}
