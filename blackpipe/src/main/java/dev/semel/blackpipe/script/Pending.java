package dev.semel.blackpipe.script;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A client's operation that runs while the test acts as the server. */
public final class Pending<T extends @Nullable Object> {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /** An operation without a result. */
    public interface Action {
        void run() throws Exception;
    }

    private final FutureTask<T> task;

    private Pending(FutureTask<T> task) {
        this.task = task;
    }

    /** Starts the operation on a new thread. */
    public static <T extends @Nullable Object> Pending<T> of(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofVirtual().name("pending").start(task);
        return new Pending<>(task);
    }

    /** Starts an operation without a result. */
    public static Pending<Boolean> doing(Action work) {
        return of(() -> {
            work.run();
            return true;
        });
    }

    /** The result; fails if the operation threw, or has not ended in time. */
    public T result() {
        try {
            return task.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("expected a result, but it threw " + e.getCause(), e.getCause());
        } catch (TimeoutException | InterruptedException e) {
            throw unfinished(e);
        }
    }

    /** The exception; fails if the operation succeeded, or has not ended in time. */
    public Throwable failure() {
        try {
            T result = task.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
            throw new AssertionError("expected a failure, but it came to " + result);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            return cause == null ? e : cause;
        } catch (TimeoutException | InterruptedException e) {
            throw unfinished(e);
        }
    }

    public boolean isDone() {
        return task.isDone();
    }

    private AssertionError unfinished(Exception e) {
        task.cancel(true);
        return new AssertionError("the client has not ended within " + DEADLINE.toSeconds() + " s", e);
    }
}
