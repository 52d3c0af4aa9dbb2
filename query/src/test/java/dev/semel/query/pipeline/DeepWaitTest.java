package dev.semel.query.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.query.Shorthand;
import dev.semel.wire.bson.RawDocument;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A wait below all stages of a long pipeline, whose stack is put aside for it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeepWaitTest {
    private static final int STAGES = 1000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition never = lock.newCondition();

    /** Waits before each of three documents, and before it closes. */
    private final class Waiting implements Source {
        private int left = 3;

        @Override
        public @Nullable RawDocument next() {
            waitShortly();
            return left-- > 0 ? Shorthand.document("{k: 1}") : null;
        }

        @Override
        public void close() {
            waitShortly();
        }

        private void waitShortly() {
            lock.lock();
            try {
                long remaining = 200_000;
                while (remaining > 0) {
                    remaining = never.awaitNanos(remaining);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                lock.unlock();
            }
        }
    }

    /** Observed, as for {@code explain}, each stage takes twice as much of the stack. */
    private int run() {
        List<RawDocument> stages = Collections.nCopies(
                STAGES, Shorthand.document("{$setWindowFields: {sortBy: {k: 1}, output: {n: {$sum: '$k'}}}}"));
        Pipeline pipeline = Pipelines.parse(stages, Shorthand.scope());
        int found = 0;
        try (Source results = pipeline.openObserved(new Waiting(), false, () -> 0, new ArrayList<>())) {
            while (results.next() != null) {
                found++;
            }
        }
        return found;
    }

    @Test
    void succeeds() {
        assertThat(CompletableFuture.supplyAsync(this::run, Thread::startVirtualThread)
                        .join())
                .isEqualTo(3);
        assertThat(lock.isLocked()).isFalse();
    }
}
