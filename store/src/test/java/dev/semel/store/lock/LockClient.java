package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** An owner with its own thread, so that a test can let it wait and go on. */
final class LockClient implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 20;

    final LockOwner owner;
    private final Locks table;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(Thread.ofVirtual().factory());
    private Interruption interruption = Interruption.unlimited();
    private @Nullable CompletableFuture<String> answer;

    LockClient(Locks table, long id, LockPolicy.Kind kind) {
        this(table, id, LockPolicy.of(kind, Duration.ofHours(1)));
    }

    LockClient(Locks table, long id, LockPolicy policy) {
        this.table = table;
        this.owner = new LockOwner(id, policy);
    }

    /** Asks and returns as soon as the answer is there or it is clear that the client waits. */
    LockClient ask(int space, KeyRange range, LockMode mode) {
        Interruption current = Interruption.unlimited();
        interruption = current;
        CompletableFuture<String> asked = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        table.lock(owner, space, range, mode, current);
                        return "granted";
                    } catch (CommandException e) {
                        return e.code().toString();
                    } catch (DeadlockVictim e) {
                        return "victim";
                    }
                },
                thread);
        answer = asked;
        await(() -> asked.isDone() || isPending());
        return this;
    }

    boolean isPending() {
        return table.pending().stream().anyMatch(each -> each.requester() == owner.id());
    }

    boolean isAsked() {
        return answer != null;
    }

    String answer() {
        try {
            return asked().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("owner " + owner.id() + " got no answer", e);
        }
    }

    private CompletableFuture<String> asked() {
        CompletableFuture<String> asked = answer;
        if (asked == null) {
            throw new IllegalStateException("nothing asked");
        }
        return asked;
    }

    void kill() {
        interruption.kill(new CommandException(ErrorCode.Interrupted, "operation was interrupted"));
    }

    void release() {
        table.releaseAll(owner);
    }

    static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("waited for too long");
            }
            LockSupport.parkNanos(1_000);
        }
    }

    @Override
    public void close() {
        kill();
        table.releaseAll(owner);
        thread.close();
    }
}
