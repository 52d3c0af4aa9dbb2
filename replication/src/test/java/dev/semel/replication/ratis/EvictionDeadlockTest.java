package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.ratis.util.AwaitToRun;
import org.junit.jupiter.api.Test;

/** The same two threads and lock as in the log of Ratis. */
class EvictionDeadlockTest {
    @Test
    void closingGoesOn() throws Exception {
        var lock = new ReentrantLock();
        var wantsLock = new CountDownLatch(1);
        var evicted = new CountDownLatch(1);
        var eviction = new AwaitToRun("test-cacheEviction", () -> {
            wantsLock.countDown();
            lock.lock();
            try {
                evicted.countDown();
            } finally {
                lock.unlock();
            }
        });
        eviction.start();

        EvictionDeadlock.resolveDuring(Duration.ofMillis(50), () -> {
            lock.lock();
            try {
                signalUntil(wantsLock, eviction);
                eviction.close();
            } finally {
                lock.unlock();
            }
        });

        assertThat(Thread.interrupted()).isTrue();
        assertThat(evicted.await(30, TimeUnit.SECONDS)).isTrue();
    }

    /** A thread that does not wait yet misses the signal. */
    private static void signalUntil(CountDownLatch reached, AwaitToRun eviction) {
        assertThat(reached).satisfies(latch -> {
            do {
                eviction.signal();
            } while (!latch.await(10, TimeUnit.MILLISECONDS));
        });
    }
}
