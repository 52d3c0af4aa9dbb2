package dev.semel.store.lock;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Long work under a mutex is done in steps, so that others can take it. */
final class Steps {
    /** How many segments are released or looked at in one step. */
    static final int SEGMENTS = 256;

    private static final long GIVE_WAY_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    private Steps() {}

    /**
     * Between two steps: a thread that takes a mutex again at once would mostly get it before threads that are being
     * woken.
     */
    static void giveWay(ReentrantLock mutex) {
        if (mutex.hasQueuedThreads()) {
            LockSupport.parkNanos(GIVE_WAY_NANOS);
        }
    }
}
