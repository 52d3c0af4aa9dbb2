package dev.semel.server;

import dev.semel.server.status.Log;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Periodic work, in a separate thread because it may take a while or wait for locks. */
final class Periodic implements AutoCloseable {
    private final String name;
    private final Log log;
    private final LongSupplier intervalSecs;
    private final Consumer<Interruption> work;
    private final Interruption interruption = Interruption.unlimited();
    private final CountDownLatch ends = new CountDownLatch(1);
    private final Thread thread;

    /**
     * The interval may change; 0 or less suspends the work. The thread ends early only by a failure, which {@code deaths} gets.
     */
    Periodic(
            String name,
            Log log,
            LongSupplier intervalSecs,
            Consumer<Interruption> work,
            Thread.UncaughtExceptionHandler deaths) {
        this.name = name;
        this.log = log;
        this.intervalSecs = intervalSecs;
        this.work = work;
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("semel-" + name)
                .uncaughtExceptionHandler(deaths)
                .start(this::run);
    }

    private void run() {
        try {
            long waited = 0;
            while (!ends.await(1, TimeUnit.SECONDS)) {
                waited++;
                long interval = intervalSecs.getAsLong();
                if (interval > 0 && waited >= interval) {
                    waited = 0;
                    pass();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void pass() {
        try {
            work.accept(interruption);
        } catch (RuntimeException | StackOverflowError e) {
            log.error(Log.Component.CONTROL, name, "Periodic work failed; the next pass goes on", e);
        }
    }

    @Override
    public void close() {
        ends.countDown();
        interruption.kill(new CommandException(ErrorCode.InterruptedAtShutdown, "interrupted at shutdown"));
        Uninterrupted.await(thread::join);
    }
}
