package dev.semel.server.follow;

import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Knows until when there is something for one who follows certain changes. Waited for by one thread at a time. */
public final class Follower implements AutoCloseable {
    private final Transactions transactions;
    private final Consumer<Follower> leave;
    private final AtomicLong touched = new AtomicLong();
    private volatile @Nullable Thread waiting;

    Follower(Transactions transactions, Consumer<Follower> leave) {
        this.transactions = transactions;
        this.leave = leave;
    }

    /** By the committer. There is something for the follower up to this time, which will be durable later. */
    void touched(long clusterTime) {
        touched.accumulateAndGet(clusterTime, (was, is) -> Long.compareUnsigned(is, was) > 0 ? is : was);
        Thread thread = waiting;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /** Whether there may be something behind a time. Of what was durable before the question, the answer is certain. */
    public boolean isTouchedAfter(long clusterTime) {
        return Long.compareUnsigned(touched.get(), clusterTime) > 0;
    }

    /** Waits for a limited time until something later is durable that there may be something in; whether it is. */
    public boolean await(long after, Interruption interruption, Duration atMost) {
        long end = transactions.nanoTime() + atMost.toNanos();
        return awaitTouched(after, interruption, end)
                && transactions.awaitDurableAfter(
                        after, interruption, Duration.ofNanos(Math.max(0, end - transactions.nanoTime())));
    }

    private boolean awaitTouched(long after, Interruption interruption, long end) {
        waiting = Thread.currentThread();
        try {
            while (!isTouchedAfter(after)) {
                interruption.check();
                if (Thread.currentThread().isInterrupted()) {
                    throw new CommandException(ErrorCode.Interrupted, "operation was interrupted");
                }
                long left = end - transactions.nanoTime();
                if (left <= 0) {
                    return false;
                }
                interruption.park(this, left);
            }
            return true;
        } finally {
            waiting = null;
        }
    }

    @Override
    public void close() {
        leave.accept(this);
    }
}
