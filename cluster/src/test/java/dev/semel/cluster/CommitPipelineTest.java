package dev.semel.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CommitPipelineTest {
    private static final long GATHERING_ENDS = TimeUnit.MILLISECONDS.toNanos(10);

    private final AtomicLong nanos = new AtomicLong();
    private final CommitPipeline pipeline = new CommitPipeline(nanos::getAndIncrement);

    /** Between any two looks at the time, one of them is before the end, and one is not. */
    @Test
    void endOfGatheringIsNotMissed() throws Exception {
        pipeline.begin(1);
        pipeline.ready(flight(1));
        assertThat(pipeline.takeOff()).isNotNull();
        pipeline.ready(flight(2));
        nanos.set(GATHERING_ENDS - 1);

        var hasWork = new CompletableFuture<Boolean>();
        Thread.ofVirtual().start(() -> {
            try {
                hasWork.complete(pipeline.awaitWork());
            } catch (InterruptedException e) {
                hasWork.completeExceptionally(e);
            }
        });

        assertThat(hasWork.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(pipeline.takeOff()).isNotNull();
        pipeline.close();
    }

    private static Flight flight(long sequence) {
        return new Flight(List.of(), List.of(), new long[] {sequence}, 10);
    }
}
