package dev.semel.server.session;

import dev.semel.store.lock.Interruption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One at a time, in the order of asking; who waits can be interrupted. */
final class Turn {
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock. */
    private boolean isTaken;

    /** Null as long as no command has ever waited, which is nearly always; guarded by the lock. */
    private @Nullable Deque<Thread> waiting;

    /** Waits until it is the caller's. */
    void take(Interruption interruption) {
        if (tryTake()) {
            return;
        }
        enqueue();
        try {
            while (!isFirst() || !tryTake()) {
                interruption.park(this, Long.MAX_VALUE);
                interruption.check();
            }
        } finally {
            dequeue();
        }
    }

    boolean tryTake() {
        lock.lock();
        try {
            boolean mine = !isTaken;
            isTaken = true;
            return mine;
        } finally {
            lock.unlock();
        }
    }

    void give() {
        lock.lock();
        try {
            isTaken = false;
            wakeFirst();
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

    /** A waiter that gives up may have been woken instead of the next. */
    private void dequeue() {
        lock.lock();
        try {
            if (waiting != null) {
                waiting.remove(Thread.currentThread());
            }
            if (!isTaken) {
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
}
