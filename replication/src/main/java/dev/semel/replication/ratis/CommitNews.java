package dev.semel.replication.ratis;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Tells the followers soon what is committed. Ratis tells them with the next entry, and if none follows with a heartbeat, up
 * to half an election timeout later; so long a read on a follower would wait for a write that its client has just made.
 */
final class CommitNews {
    /** The next entry may come before that; then nothing is sent for it alone. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final String thread;
    private final Set<ResendingAppender> appenders = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean isUnderWay = new AtomicBoolean();

    CommitNews(String thread) {
        this.thread = thread;
    }

    /** One for each follower, on the leader. */
    void to(ResendingAppender appender) {
        appenders.add(appender);
    }

    void notTo(ResendingAppender appender) {
        appenders.remove(appender);
    }

    /** Returns at once. */
    void committed() {
        if (!appenders.isEmpty() && isUnderWay.compareAndSet(false, true)) {
            Thread.ofVirtual().name(thread).start(this::tell);
        }
    }

    private void tell() {
        LockSupport.parkNanos(PAUSE_NANOS);
        isUnderWay.set(false);
        appenders.forEach(ResendingAppender::tellCommitted);
    }
}
