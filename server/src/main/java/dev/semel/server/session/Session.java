package dev.semel.server.session;

import dev.semel.store.lock.Interruption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One logical session. It ends on request or when it has not been used for the sessions' timeout. Whatever carries a
 * transaction number is checked against what the session did before, so one such command runs at a time.
 */
public final class Session {
    private final SessionId id;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile long lastUseNanos;

    /** Guarded by the lock. */
    private boolean isCheckedOut;

    /** Of the command that has it checked out; guarded by the lock. */
    private long workingOn = -1;

    /** Null as long as nobody ever waited, which is nearly always; guarded by the lock. */
    private @Nullable Deque<Thread> waiting;

    /** Changed by who has checked the session out. */
    private volatile @Nullable SessionTransaction transaction;

    Session(SessionId id, long nowNanos) {
        this.id = id;
        this.lastUseNanos = nowNanos;
    }

    public SessionId id() {
        return id;
    }

    void used(long nowNanos) {
        lastUseNanos = nowNanos;
    }

    long idleNanos(long nowNanos) {
        return nowNanos - lastUseNanos;
    }

    // ---- one command at a time

    /** Waits, in the order of asking, until the session is the caller's. */
    void checkOut(Interruption interruption) {
        if (tryCheckOut()) {
            return;
        }
        enqueue();
        try {
            while (!isFirst() || !tryCheckOut()) {
                interruption.park(this, Long.MAX_VALUE);
                interruption.check();
            }
        } finally {
            dequeue();
        }
    }

    boolean tryCheckOut() {
        lock.lock();
        try {
            boolean mine = !isCheckedOut;
            isCheckedOut = true;
            return mine;
        } finally {
            lock.unlock();
        }
    }

    public void checkIn() {
        lock.lock();
        try {
            isCheckedOut = false;
            workingOn = -1;
            wakeFirst();
        } finally {
            lock.unlock();
        }
    }

    void workOn(long number) {
        lock.lock();
        try {
            workingOn = number;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a command with this number is running. From any thread. */
    public boolean isWorkingOn(long number) {
        lock.lock();
        try {
            return isCheckedOut && workingOn == number;
        } finally {
            lock.unlock();
        }
    }

    private void enqueue() {
        lock.lock();
        try {
            Deque<Thread> threads = waiting;
            if (threads == null) {
                threads = new ArrayDeque<>(2);
                waiting = threads;
            }
            threads.add(Thread.currentThread());
        } finally {
            lock.unlock();
        }
    }

    private boolean isFirst() {
        lock.lock();
        try {
            return waiting != null && Thread.currentThread().equals(waiting.peek());
        } finally {
            lock.unlock();
        }
    }

    /** Whoever gives up may have been woken instead of the next. */
    private void dequeue() {
        lock.lock();
        try {
            if (waiting != null) {
                waiting.remove(Thread.currentThread());
            }
            if (!isCheckedOut) {
                wakeFirst();
            }
        } finally {
            lock.unlock();
        }
    }

    private void wakeFirst() {
        if (waiting != null && !waiting.isEmpty()) {
            LockSupport.unpark(waiting.peek());
        }
    }

    // ---- its newest transaction

    @Nullable
    SessionTransaction transaction() {
        return transaction;
    }

    void transaction(SessionTransaction newest) {
        transaction = newest;
    }
}
