package dev.semel.faults;

import dev.semel.replication.Links;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Between the members of a set in one JVM; each direction between two of them is a link of its own. */
public final class Network implements Links {
    private static final long HELD_AT_MOST_SECONDS = 30;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock.
    private final Set<Link> cut = new HashSet<>();
    private final Set<Link> held = new HashSet<>();

    /** From one member to another. */
    record Link(String from, String to) {}

    /** Nothing arrives on it any more; connections break. */
    void cut(String from, String to) {
        change(() -> cut.add(new Link(from, to)));
    }

    /** What is sent on it arrives when it is healed, as if a process had been stopped. */
    void hold(String from, String to) {
        change(() -> held.add(new Link(from, to)));
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
        Link link = new Link(from, to);
        lock.lock();
        try {
            long nanos = TimeUnit.SECONDS.toNanos(HELD_AT_MOST_SECONDS);
            while (held.contains(link) && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            return !cut.contains(link);
        } finally {
            lock.unlock();
        }
    }
}
