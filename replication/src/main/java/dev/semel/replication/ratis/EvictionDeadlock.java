package dev.semel.replication.ratis;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.util.AwaitToRun;

/**
 * Ends a deadlock of Ratis 3.3.0 in the closing of a log: its {@code SegmentedRaftLog.close} waits, with the log's write
 * lock, for the thread that evicts entries from the cache, and that thread may just be waiting for the lock. Without this,
 * a member that is stopped at such a moment would never end. The wait can be interrupted; the closing continues then.
 *
 * <p>Only a thread that has waited there for a whole period is interrupted: the log accepts nothing in the meantime, so its
 * writer has nothing left to write by then, and the interruption cannot break off a write.
 */
final class EvictionDeadlock {
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Duration period;

    private EvictionDeadlock(Duration period) {
        this.period = period;
    }

    /** Watches the threads of this JVM while logs are closed. */
    static void resolveDuring(CloseLimit.Closing closing) throws IOException {
        resolveDuring(PERIOD, closing);
    }

    static void resolveDuring(Duration period, CloseLimit.Closing closing) throws IOException {
        var watch = new EvictionDeadlock(period);
        Thread.ofPlatform().name("replication-close-watch").daemon().start(watch::run);
        try {
            closing.run();
        } finally {
            watch.closed.countDown();
        }
    }

    private void run() {
        Set<Thread> before = Set.of();
        try {
            while (!closed.await(period.toMillis(), TimeUnit.MILLISECONDS)) {
                Set<Thread> waiting = waiting();
                waiting.stream().filter(before::contains).forEach(Thread::interrupt);
                before = waiting;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Set<Thread> waiting() {
        Set<Thread> waiting = new HashSet<>();
        for (Map.Entry<Thread, StackTraceElement[]> each :
                Thread.getAllStackTraces().entrySet()) {
            if (Arrays.stream(each.getValue()).anyMatch(EvictionDeadlock::isTheWait)) {
                waiting.add(each.getKey());
            }
        }
        return waiting;
    }

    private static boolean isTheWait(StackTraceElement frame) {
        return frame.getClassName().equals(AwaitToRun.class.getName())
                && frame.getMethodName().equals("close");
    }
}
