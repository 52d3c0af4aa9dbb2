package dev.semel.store.rocks;

import dev.semel.wire.thread.MustWait;
import dev.semel.wire.thread.SharedThread;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Reads that have to wait for a file. The engine is native code, so a virtual thread that waits in it keeps its carrier, and
 * with it all virtual threads that are to run there. Virtual threads therefore look into the cache only, and leave what
 * is not there to the few platform threads here.
 */
final class ColdReads implements AutoCloseable {
    private static final int THREADS_MIN = 4;
    private static final long IDLE_SECS = 10;

    private final LongAdder count = new LongAdder();

    /** Each connection waits for its one read, so the queue is no longer than there are connections. */
    private final ThreadPoolExecutor threads;

    ColdReads() {
        int size = Math.max(THREADS_MIN, 2 * Runtime.getRuntime().availableProcessors());
        threads = new ThreadPoolExecutor(
                size,
                size,
                IDLE_SECS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name("semel-cold-read-", 0).factory());
        threads.allowCoreThreadTimeOut(true);
    }

    /** Whether the calling thread has to leave its cold reads to {@link #read}. */
    static boolean areForOthers() {
        return Thread.currentThread().isVirtual() || SharedThread.isCurrent();
    }

    /** Whether a read that may look into the cache only has found that this is not enough. */
    static boolean isNeeded(RocksDBException e) {
        Status status = e.getStatus();
        return status != null && status.getCode() == Status.Code.Incomplete;
    }

    /**
     * Waits, without a carrier, until a platform thread has done it. A thread that serves many does not wait: what it does is
     * given up, and may be begun again after {@code warmUp}, which reads the same into the cache and uses nothing that is closed then.
     */
    <T> T read(Supplier<T> work, Runnable warmUp) {
        MustWait.check(done -> start(warmUp, done));
        count.increment();
        try {
            return CompletableFuture.supplyAsync(work, threads).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error failure) {
                throw failure;
            }
            throw e;
        }
    }

    private void start(Runnable warmUp, Runnable done) {
        count.increment();
        try {
            threads.execute(() -> {
                try {
                    warmUp.run();
                } catch (RuntimeException e) {
                    // Who begins again finds out by reading.
                } finally {
                    done.run();
                }
            });
        } catch (RejectedExecutionException e) {
            done.run();
        }
    }

    /** How many there have been. */
    long count() {
        return count.sum();
    }

    /** At the end, when there are no readers any more. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
