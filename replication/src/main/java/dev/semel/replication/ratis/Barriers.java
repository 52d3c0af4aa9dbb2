package dev.semel.replication.ratis;

import dev.semel.replication.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One barrier at a time is in the log; callers that come meanwhile share the next one. A barrier that was proposed
 * before the caller asked must not serve it.
 */
final class Barriers {
    private final Consumer<Consumer<Outcome>> propose;
    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();

    // guarded by the lock
    private boolean isUnderWay;
    private @Nullable CompletableFuture<Outcome> next;

    /**
     * @param propose a barrier, and what to do with its outcome
     * @param executor proposes the next barrier, for the thread that completes the last one must not wait
     */
    Barriers(Consumer<Consumer<Outcome>> propose, Executor executor) {
        this.propose = propose;
        this.executor = executor;
    }

    CompletableFuture<Outcome> await() {
        var shared = new CompletableFuture<Outcome>();
        lock.lock();
        try {
            if (isUnderWay) {
                if (next == null) {
                    next = shared;
                }
                return next;
            }
            isUnderWay = true;
        } finally {
            lock.unlock();
        }
        start(shared);
        return shared;
    }

    private void start(CompletableFuture<Outcome> shared) {
        propose.accept(outcome -> {
            shared.complete(outcome);
            startNext();
        });
    }

    private void startNext() {
        CompletableFuture<Outcome> waiting;
        lock.lock();
        try {
            waiting = next;
            next = null;
            isUnderWay = waiting != null;
        } finally {
            lock.unlock();
        }
        if (waiting != null) {
            executor.execute(() -> start(waiting));
        }
    }
}
