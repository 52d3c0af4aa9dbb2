package dev.semel.server.catalog;

import dev.semel.store.Store;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Rewrites what the store has of a collection and its indexes, beside clients, to make the files smaller. */
public final class Compaction {
    private static final long LOOK_NANOS = 100_000_000;

    private final Store store;

    private record Part(Table table, KeyRange range) {}

    public Compaction(Store store) {
        this.store = store;
    }

    /** By how many bytes the files have become smaller. */
    public long run(Collection collection, Interruption interruption) {
        Work work = new Work(parts(collection), Thread.currentThread());
        // The engine works in its own code all the time, for which a virtual thread would keep its carrier.
        Thread.ofPlatform().name("compact").daemon().start(work::run);
        while (work.done.getCount() > 0) {
            try {
                interruption.check();
            } finally {
                work.stopped = interruption.isKilled() || interruption.remainingNanos() <= 0;
            }
            interruption.park(work, LOOK_NANOS);
        }
        RuntimeException failure = work.failure;
        if (failure != null) {
            throw failure;
        }
        return Math.max(0, work.bytesFreed);
    }

    /** How many bytes {@link #run} is likely to free. */
    public long estimate(Collection collection) {
        return parts(collection).stream()
                .mapToLong(each -> store.reclaimableBytes(each.table, each.range))
                .sum();
    }

    private static List<Part> parts(Collection collection) {
        List<Part> parts = new ArrayList<>();
        parts.add(new Part(Table.DOCUMENTS, collection.documents()));
        for (Index each : collection.secondary()) {
            parts.add(new Part(Table.INDEXES, each.range()));
        }
        InsertionOrder order = collection.order();
        if (order != null) {
            parts.add(new Part(Table.INDEXES, order.all()));
        }
        return parts;
    }

    private final class Work {
        private final List<Part> parts;
        private final Thread waiting;
        private final CountDownLatch done = new CountDownLatch(1);
        private volatile boolean stopped;
        private volatile @Nullable RuntimeException failure;
        private volatile long bytesFreed;

        Work(List<Part> parts, Thread waiting) {
            this.parts = parts;
            this.waiting = waiting;
        }

        void run() {
            try {
                long freed = 0;
                for (Part each : parts) {
                    if (!stopped) {
                        freed += store.compact(each.table, each.range);
                    }
                }
                bytesFreed = freed;
            } catch (RuntimeException e) {
                failure = e;
            } finally {
                done.countDown();
                LockSupport.unpark(waiting);
            }
        }
    }
}
