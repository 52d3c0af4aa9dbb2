package dev.semel.server;

import dev.semel.server.catalog.Expiry;
import dev.semel.server.net.Listener;
import dev.semel.server.once.Removal;
import dev.semel.server.once.TokenRemoval;
import dev.semel.server.status.Log;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Background work of a server: closes what is idle, deletes expired documents and records, truncates the oplog, counts
 * collections after a crash.
 */
final class Housekeeping implements AutoCloseable {
    private static final long RECORD_REMOVAL_SECS = 60;

    private final Wiring parts;
    private final @Nullable Listener listener;
    private final Periodic ttlMonitor;
    private final Periodic recordRemoval;
    private final Thread idleMonitor;
    private final CountDownLatch ends = new CountDownLatch(1);
    private final Thread counter;
    private final Interruption counting = Interruption.unlimited();

    Housekeeping(Wiring parts, @Nullable Listener listener) {
        this.parts = parts;
        this.listener = listener;
        Thread.UncaughtExceptionHandler deaths = parts.fatalErrors.partHandler();
        ttlMonitor = new Periodic(
                "ttl",
                parts.log,
                parts.tuning::ttlIntervalSecs,
                whenPrimary(new Expiry(parts.catalog, parts.clock)::pass),
                deaths);
        TokenRemoval tokens = new TokenRemoval(parts.transactions, parts.tokenTable);
        Removal numbers = parts.recordRemoval();
        recordRemoval = new Periodic(
                "records",
                parts.log,
                () -> RECORD_REMOVAL_SECS,
                whenPrimary(interruption -> {
                    tokens.pass(interruption);
                    numbers.pass(interruption);
                }),
                deaths);
        idleMonitor = background("housekeeping", this::endIdle, deaths);
        counter = background("count", this::countAll, deaths);
    }

    /** The others have what the primary's work makes of the data. */
    private Consumer<Interruption> whenPrimary(Consumer<Interruption> work) {
        return interruption -> {
            if (parts.replicaSet.isWritablePrimary()) {
                work.accept(interruption);
            }
        };
    }

    private static Thread background(String name, Runnable work, Thread.UncaughtExceptionHandler deaths) {
        return Thread.ofPlatform()
                .daemon()
                .name("semel-" + name)
                .uncaughtExceptionHandler(deaths)
                .start(work);
    }

    private void endIdle() {
        try {
            while (!ends.await(1, TimeUnit.SECONDS)) {
                try {
                    endIdleOnce();
                } catch (RuntimeException | StackOverflowError e) {
                    parts.log.error(Log.Component.CONTROL, "housekeeping", "Periodic work failed; it goes on", e);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void endIdleOnce() {
        parts.cursors.expire();
        parts.sessionTransactions.reap();
        parts.connectionTransactions.reap();
        parts.sessions.expire();
        if (listener != null) {
            listener.lookAtClients();
        }
        if (parts.transactions.barrier().isClosed()) {
            return;
        }
        if (parts.oplog != null && parts.replicaSet.isWritablePrimary()) {
            parts.oplog.shorten();
        }
        parts.transactions.reclaim();
    }

    /** Ends soon unless the server was killed; then it reads everything once. */
    private void countAll() {
        try {
            parts.tokenTable.count(counting);
            parts.catalog.countAll(counting);
        } catch (RuntimeException e) {
            // What cannot be read is counted on demand, where the client gets the error, or by the next start.
            if (!counting.isKilled()) {
                parts.log.error(Log.Component.STORAGE, "count", "Counting the collections failed", e);
            }
        }
    }

    @Override
    public void close() {
        ends.countDown();
        ttlMonitor.close();
        recordRemoval.close();
        Uninterrupted.await(idleMonitor::join);
        counting.kill(new CommandException(ErrorCode.InterruptedAtShutdown, "interrupted at shutdown"));
        Uninterrupted.await(counter::join);
    }
}
