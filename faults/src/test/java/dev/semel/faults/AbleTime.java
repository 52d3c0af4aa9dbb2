package dev.semel.faults;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Counts the time in which a majority of the members answered, and so could have a primary. Members that are stopped or paused
 * do not, nor do those that start, which takes a minute on a machine that has much else to do.
 */
final class AbleTime implements AutoCloseable {
    private static final long LOOK_NANOS = Duration.ofMillis(250).toNanos();

    /** Who needs longer to say what it is has no time for an election either. */
    private static final long ANSWER_NANOS_MAX = Duration.ofSeconds(1).toNanos();

    private final List<BooleanSupplier> answers;
    private final AtomicLong nanos = new AtomicLong();
    private volatile boolean isClosed;

    /** @param answers of each member: whether it answers */
    AbleTime(List<BooleanSupplier> answers) {
        this.answers = List.copyOf(answers);
        Thread.ofVirtual().name("able-time").start(this::run);
    }

    private void run() {
        long last = System.nanoTime();
        while (!isClosed) {
            boolean isAble = answers.stream().filter(AbleTime::isInTime).count() > answers.size() / 2;
            LockSupport.parkNanos(LOOK_NANOS);
            long now = System.nanoTime();
            if (isAble) {
                nanos.addAndGet(now - last);
            }
            last = now;
        }
    }

    private static boolean isInTime(BooleanSupplier answer) {
        long start = System.nanoTime();
        return answer.getAsBoolean() && System.nanoTime() - start < ANSWER_NANOS_MAX;
    }

    long nanos() {
        return nanos.get();
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
