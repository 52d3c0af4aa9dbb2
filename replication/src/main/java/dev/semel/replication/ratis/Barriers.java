package dev.semel.replication.ratis;

import dev.semel.replication.Outcome;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
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

    /** Which the executor is to start. */
    private @Nullable CompletableFuture<Outcome> starting;

    private boolean isClosed;

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
            if (isClosed) {
                shared.complete(closed());
                return shared;
            }
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
        lock.lock();
        try {
            starting = next;
            next = null;
            isUnderWay = starting != null;
            if (isUnderWay && !isClosed) {
                executor.execute(this::startWaiting);
            }
        } catch (RejectedExecutionException e) {
            // It is about to be closed.
        } finally {
            lock.unlock();
        }
    }

    private void startWaiting() {
        CompletableFuture<Outcome> waiting;
        lock.lock();
        try {
            waiting = starting;
            starting = null;
        } finally {
            lock.unlock();
        }
        if (waiting != null) {
            start(waiting);
        }
    }

    /** Nobody waits any more for a barrier that has not been proposed; the executor may have been shut down before. */
    void close() {
        List<CompletableFuture<Outcome>> waiting;
        lock.lock();
        try {
            isClosed = true;
            waiting = Stream.of(starting, next).filter(Objects::nonNull).toList();
        } finally {
            lock.unlock();
        }
        waiting.forEach(each -> each.complete(closed()));
    }

    private static Outcome closed() {
        return new Outcome.NotWritable("This member has been closed");
    }
}
