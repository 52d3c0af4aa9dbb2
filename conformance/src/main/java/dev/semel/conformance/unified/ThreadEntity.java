package dev.semel.conformance.unified;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A thread that runs operations one after another. */
final class ThreadEntity implements AutoCloseable {
    private static final int WAIT_SECONDS = 10;

    private final String id;
    private final ExecutorService executor;
    private final List<Future<?>> submitted = new ArrayList<>();

    ThreadEntity(String id) {
        this.id = id;
        executor = Executors.newSingleThreadExecutor(Thread.ofVirtual().name(id).factory());
    }

    void run(Callable<?> operation) {
        submitted.add(executor.submit(operation));
    }

    /** Waits until all is done; the first failure is the thread's. */
    void await() throws InterruptedException {
        executor.shutdown();
        if (!executor.awaitTermination(WAIT_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the thread '" + id + "' did not end within " + WAIT_SECONDS + " s");
        }
        for (Future<?> each : submitted) {
            try {
                each.get(0, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new AssertionError("on thread '" + id + "': " + e.getMessage(), e);
            }
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
