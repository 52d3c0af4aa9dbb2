package dev.semel.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClusterClockTest {
    private final AtomicLong seconds = new AtomicLong(1_000);
    private final InstantSource wall = () -> Instant.ofEpochSecond(seconds.get());
    private final ClusterClock clock = new ClusterClock(wall, 0);

    @Test
    void timesThatAreKeptAreLaterThanAllOthersHoweverLateItBecomes() {
        long before = clock.next(1);
        long kept = clock.keepAhead();
        seconds.addAndGet(100);
        long meanwhile = clock.next(5);
        assertThat(meanwhile).isGreaterThan(before).isLessThan(kept);
        assertThat(clock.next(1)).isGreaterThan(meanwhile).isLessThan(kept);
        assertThat(clock.takeKept(3)).isEqualTo(kept + 2);
        assertThat(clock.next(1)).isEqualTo((seconds.get() << 32) | 1);
    }

    @Test
    void timesThatAreNotTakenAreFree() {
        clock.keepAhead();
        clock.free();
        seconds.addAndGet(100);
        assertThat(clock.next(1)).isEqualTo((seconds.get() << 32) | 1);
    }

    @Test
    void whatIsObservedMeanwhileCountsAfterwards() {
        long kept = clock.keepAhead();
        long seen = kept + (60L << 32);
        clock.observe(seen);
        assertThat(clock.next(1)).isLessThan(kept);
        assertThat(clock.takeKept(2)).isEqualTo(kept + 1);
        assertThat(clock.next(1)).isEqualTo(seen + 1);
    }
}
