package dev.semel.server.replica;

import dev.semel.store.lock.Interruption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Counts the changes of what {@code hello} reports, and wakes the threads that wait for the next one. */
public final class TopologyChanges {
    private final LongSupplier nanoTime;
    private final AtomicLong counter = new AtomicLong(1);
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

    public TopologyChanges(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    public long counter() {
        return counter.get();
    }

    /** Call it when the change is visible: a reader of the new number must see the change. */
    public void changed() {
        counter.incrementAndGet();
        waiting.forEach(LockSupport::unpark);
    }

    /** Returns when the counter has passed the given one, or after the given time. */
    public void await(long known, long nanosMax, Interruption interruption) {
        long end = nanoTime.getAsLong() + nanosMax;
        waiting.add(Thread.currentThread());
        try {
            long left = nanosMax;
            while (left > 0 && counter() == known) {
                interruption.check();
                interruption.park(this, left);
                left = end - nanoTime.getAsLong();
            }
            interruption.check();
        } finally {
            waiting.remove(Thread.currentThread());
        }
    }
}
