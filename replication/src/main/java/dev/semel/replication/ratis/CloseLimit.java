package dev.semel.replication.ratis;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * A server must be able to end. Ratis waits without limit for its connections and threads when it closes, so it does that in a
 * thread of its own, which is left behind if it takes longer than any log can need.
 */
final class CloseLimit {
    private static final Duration AT_MOST = Duration.ofMinutes(2);

    interface Closing {
        void run() throws IOException;
    }

    private CloseLimit() {}

    /** Throws an {@link IllegalStateException} if it takes too long, which says what it waits for. */
    static void run(Closing closing) throws IOException {
        run(AT_MOST, closing);
    }

    static void run(Duration atMost, Closing closing) throws IOException {
        var task = new FutureTask<Void>(() -> {
            closing.run();
            return null;
        });
        var thread = Thread.ofPlatform().name("replication-close").daemon().start(task);
        boolean interrupted = false;
        try {
            long end = System.nanoTime() + atMost.toNanos();
            while (true) {
                try {
                    task.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    "The log has not been closed within %d s; that waits here:%n%s"
                            .formatted(atMost.toSeconds(), stack(thread)),
                    e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException failure -> throw failure;
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw new IllegalStateException(e);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static String stack(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .map(each -> "\tat " + each)
                .collect(Collectors.joining(System.lineSeparator()));
    }
}
