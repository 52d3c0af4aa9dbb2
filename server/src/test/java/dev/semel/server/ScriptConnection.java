package dev.semel.server;

import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.scram.ScramHash;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A further connection of a script, on which one command may be under way while the script goes on. */
final class ScriptConnection implements AutoCloseable {
    private static final long SECONDS_MAX = 20;

    private final LocalConnection connection;
    private @Nullable FutureTask<RawDocument> running;

    ScriptConnection(LocalConnection connection) {
        this.connection = connection;
    }

    void start(RawDocument command) {
        if (running != null) {
            throw new IllegalStateException("the command before has not been joined");
        }
        FutureTask<RawDocument> task = new FutureTask<>(() -> connection.run(command));
        running = task;
        Thread.ofVirtual().start(task);
    }

    /** As a user of this database, who proves it with either hash. */
    RawDocument login(ScramHash hash, String database, String user, String password) {
        return new ScramLogin(connection, hash, database).run(user, password);
    }

    boolean isRunning() {
        return running != null && !running.isDone();
    }

    /** False if the command ends before that. */
    boolean runsUntil(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        while (isRunning()) {
            if (condition.getAsBoolean()) {
                return true;
            }
            if (System.nanoTime() > deadline) {
                throw new AssertionError("it neither waits nor ends");
            }
            LockSupport.parkNanos(1_000_000);
        }
        return false;
    }

    RawDocument join() {
        FutureTask<RawDocument> task = running;
        if (task == null) {
            throw new IllegalStateException("nothing is under way");
        }
        running = null;
        try {
            return task.get(SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
