package dev.semel.driver.execution;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** Sessions to use again: the one used last first, so that the others can expire. */
public final class ServerSessions {
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<ServerSession> pool = new ArrayDeque<>();
    private final Supplier<@Nullable Integer> timeoutMinutes;
    private final LongSupplier nanoTime;
    private final Supplier<UUID> ids;

    /** The timeout is what the servers say at the moment, null where they do not support sessions. */
    public ServerSessions(Supplier<@Nullable Integer> timeoutMinutes, LongSupplier nanoTime, Supplier<UUID> ids) {
        this.timeoutMinutes = timeoutMinutes;
        this.nanoTime = nanoTime;
        this.ids = ids;
    }

    ServerSession acquire() {
        lock.lock();
        try {
            while (!pool.isEmpty()) {
                ServerSession session = pool.removeFirst();
                if (!expiresSoon(session)) {
                    return session;
                }
            }
        } finally {
            lock.unlock();
        }
        return new ServerSession(ids.get(), nanoTime);
    }

    void release(ServerSession session) {
        lock.lock();
        try {
            while (!pool.isEmpty() && expiresSoon(pool.getLast())) {
                pool.removeLast();
            }
            if (!session.isDirty() && !expiresSoon(session)) {
                pool.addFirst(session);
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean expiresSoon(ServerSession session) {
        Integer minutes = timeoutMinutes.get();
        if (minutes == null) {
            return false;
        }
        long usableNanos = TimeUnit.MINUTES.toNanos(minutes - 1);
        return nanoTime.getAsLong() - session.lastUsedNanos() >= usableNanos;
    }

    /** The ids of all pooled sessions, which are removed: {@code endSessions} sends them to the server. */
    public List<BsonDocument> drain() {
        lock.lock();
        try {
            var ids = new ArrayList<BsonDocument>();
            pool.forEach(each -> ids.add(each.identifier()));
            pool.clear();
            return ids;
        } finally {
            lock.unlock();
        }
    }
}
