package dev.semel.blackpipe.script;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The current {@code hello} description of a server, and the monitors that wait for a change. */
final class Announcement {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private Identity identity;
    private long counter = 1;

    Announcement(Identity identity) {
        this.identity = identity;
    }

    record Version(Identity identity, long counter) {}

    Version now() {
        lock.lock();
        try {
            return new Version(identity, counter);
        } finally {
            lock.unlock();
        }
    }

    void change(Identity next) {
        lock.lock();
        try {
            identity = next;
            counter++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns when the count has changed from this one, or after the timeout. */
    void awaitAfter(long known, long timeoutMs) throws InterruptedException {
        long left = TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        lock.lockInterruptibly();
        try {
            while (counter == known && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
