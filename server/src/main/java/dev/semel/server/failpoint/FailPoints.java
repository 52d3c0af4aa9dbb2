package dev.semel.server.failpoint;

import dev.semel.store.lock.Interruption;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The fail points of this process that are set. Code that can fail asks {@link #areSet} first: one volatile read, which
 * is all that a server without any pays.
 */
public final class FailPoints {
    private final DoubleSupplier chance;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean areSet;

    // Guarded by the lock.
    private final Map<String, Armed> armed = new HashMap<>();
    private final Map<String, Long> timesEntered = new HashMap<>();
    private final Set<Thread> waiting = new HashSet<>();

    /** Chance gives numbers from 0 to 1, 1 excluded. */
    public FailPoints(DoubleSupplier chance, LongSupplier nanoTime) {
        this.chance = chance;
        this.nanoTime = nanoTime;
    }

    /** Sets it again, whatever was left of it; returns how often it has been entered since the server started. */
    public long set(FailPoint point, Mode mode) {
        lock.lock();
        try {
            Armed fresh = new Armed(point, mode);
            if (mode instanceof Mode.Off || fresh.isSpent()) {
                armed.remove(point.name());
            } else {
                armed.put(point.name(), fresh);
            }
            areSet = !armed.isEmpty();
            return timesEntered.getOrDefault(point.name(), 0L);
        } finally {
            lock.unlock();
        }
    }

    /** Sets a point as it is in others, if it is set there. */
    public void takeOver(String name, FailPoints others) {
        Armed found = others.armed(name);
        if (found != null) {
            lock.lock();
            try {
                armed.put(name, found);
                areSet = true;
            } finally {
                lock.unlock();
            }
        }
    }

    private @Nullable Armed armed(String name) {
        lock.lock();
        try {
            return armed.get(name);
        } finally {
            lock.unlock();
        }
    }

    public boolean areSet() {
        return areSet;
    }

    /** Asks a fail point of this kind for a fault; null for none. Only matching commands count. */
    public <P extends FailPoint> @Nullable Hit<P> hit(String name, Class<P> kind, Predicate<P> matches) {
        lock.lock();
        try {
            Armed found = armed.get(name);
            if (found == null || !kind.isInstance(found.point())) {
                return null;
            }
            P point = kind.cast(found.point());
            if (!matches.test(point)) {
                return null;
            }
            boolean isEntered = found.isEntered(chance);
            if (found.isSpent()) {
                armed.remove(name);
                areSet = !armed.isEmpty();
            }
            if (!isEntered) {
                return null;
            }
            timesEntered.merge(name, 1L, Long::sum);
            waiting.forEach(LockSupport::unpark);
            return new Hit<>(point, found.timesEntered());
        } finally {
            lock.unlock();
        }
    }

    /** The same where there is nothing to match. */
    public <P extends FailPoint> @Nullable Hit<P> hit(String name, Class<P> kind) {
        return areSet ? hit(name, kind, any -> true) : null;
    }

    /** Waits until the point has been entered so often since the server started. */
    public void awaitEntered(String name, long times, Interruption interruption) {
        Thread current = Thread.currentThread();
        try {
            while (isBelow(name, times, current)) {
                interruption.check();
                interruption.park(this, Long.MAX_VALUE);
            }
        } finally {
            leave(current);
        }
    }

    private boolean isBelow(String name, long times, Thread current) {
        lock.lock();
        try {
            waiting.add(current);
            return timesEntered.getOrDefault(name, 0L) < times;
        } finally {
            lock.unlock();
        }
    }

    private void leave(Thread current) {
        lock.lock();
        try {
            waiting.remove(current);
        } finally {
            lock.unlock();
        }
    }

    /** Waits, unless it is interrupted; the interruption throws. */
    public void stall(Duration howLong, Interruption interruption) {
        if (howLong.isZero()) {
            return;
        }
        // A script may ask for more than there are nanoseconds in a long.
        long nanos = TimeUnit.NANOSECONDS.convert(howLong);
        long end = nanoTime.getAsLong() + nanos;
        for (long left = nanos; left > 0; left = end - nanoTime.getAsLong()) {
            interruption.check();
            interruption.park(this, left);
        }
    }
}
