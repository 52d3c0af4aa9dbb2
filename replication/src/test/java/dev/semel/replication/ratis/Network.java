package dev.semel.replication.ratis;

import dev.semel.replication.Links;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Between the members of a set in one JVM. */
final class Network implements Links {
    private static final long HELD_AT_MOST_SECONDS = 30;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // guarded by the lock
    private final Set<String> cut = new HashSet<>();
    private final Set<String> held = new HashSet<>();

    /** Nothing arrives from or at this member any more; connections break. */
    void cut(String member) {
        change(() -> cut.add(member));
    }

    /** What is sent to or from this member arrives when the network heals, as if its process had been stopped. */
    void hold(String member) {
        change(() -> held.add(member));
    }

    void heal() {
        change(() -> {
            cut.clear();
            held.clear();
        });
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean arrives(String from, String to) throws InterruptedException {
        lock.lock();
        try {
            long nanos = TimeUnit.SECONDS.toNanos(HELD_AT_MOST_SECONDS);
            while ((held.contains(from) || held.contains(to)) && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            return !cut.contains(from) && !cut.contains(to);
        } finally {
            lock.unlock();
        }
    }
}
