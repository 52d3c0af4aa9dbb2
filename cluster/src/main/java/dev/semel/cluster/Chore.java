package dev.semel.cluster;

import dev.semel.store.lock.Interruption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Work in a thread of its own, one at a time; after a failure with a pause. */
final class Chore {
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final String thread;
    private final BooleanSupplier work;
    private final LongSupplier nanoTime;
    private final AtomicBoolean isBusy = new AtomicBoolean();
    private volatile long nextAttemptNanos;

    /** @param work whether there was nothing to do, or it was done */
    Chore(String thread, BooleanSupplier work, LongSupplier nanoTime) {
        this.thread = thread;
        this.work = work;
        this.nanoTime = nanoTime;
        this.nextAttemptNanos = nanoTime.getAsLong();
    }

    /** Returns at once; does nothing if it is under way, or has failed just now. */
    void begin() {
        if (nextAttemptNanos - nanoTime.getAsLong() > 0 || !isBusy.compareAndSet(false, true)) {
            return;
        }
        Thread.ofVirtual().name(thread).start(() -> {
            try {
                if (!isDone()) {
                    nextAttemptNanos = nanoTime.getAsLong() + RETRY_NANOS;
                }
            } finally {
                isBusy.set(false);
            }
        });
    }

    private boolean isDone() {
        try {
            return work.getAsBoolean();
        } catch (RuntimeException e) {
            // The engine is being closed, or its members change at this moment.
            return false;
        }
    }

    /** Does something else while this does not run; waits for it. */
    void instead(Runnable other, Interruption interruption) {
        while (!isBusy.compareAndSet(false, true)) {
            interruption.check();
            interruption.park(this, LOOK_NANOS);
        }
        try {
            other.run();
        } finally {
            isBusy.set(false);
        }
    }
}
