package dev.semel.server;

import dev.semel.server.catalog.Expiry;
import dev.semel.server.settings.Settings;
import dev.semel.server.status.Log;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Deletes what has expired, every so many seconds, in a thread of its own because it may wait for locks. */
final class TtlMonitor implements AutoCloseable {
    private final Expiry expiry;
    private final Settings settings;
    private final Log log;
    private final Interruption interruption = Interruption.unlimited();
    private final CountDownLatch ends = new CountDownLatch(1);
    private final Thread thread;

    TtlMonitor(Expiry expiry, Settings settings, Log log) {
        this.expiry = expiry;
        this.settings = settings;
        this.log = log;
        this.thread = Thread.ofPlatform().daemon().name("semel-ttl").start(this::work);
    }

    private void work() {
        try {
            long waited = 0;
            while (!ends.await(1, TimeUnit.SECONDS)) {
                waited++;
                if (waited >= settings.ttlMonitorSleepSecs.value() && settings.ttlMonitorEnabled.value()) {
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
            expiry.pass(interruption);
        } catch (RuntimeException e) {
            log.error(Log.Component.CONTROL, "ttl", "Removing what has expired failed; the next pass goes on", e);
        }
    }

    @Override
    public void close() {
        ends.countDown();
        interruption.kill(new CommandException(ErrorCode.InterruptedAtShutdown, "interrupted at shutdown"));
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
