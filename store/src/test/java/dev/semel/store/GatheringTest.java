package dev.semel.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class GatheringTest {
    private final AtomicLong waits = new AtomicLong();
    private final Gathering tested = new Gathering(waits::get);

    @Test
    void commitsThatDisturbNobodyWaitForEachOther() {
        assertThat(tested.isWorthwhile()).isTrue();
        assertThat(tested.isWorthwhile()).isTrue();
    }

    @Test
    void afterAWaitForALockManyAreWrittenAtOnce() {
        waits.incrementAndGet();
        for (int i = 0; i <= Gathering.COMMITS_AFTER_WAIT; i++) {
            assertThat(tested.isWorthwhile()).as("commit %d", i).isFalse();
        }
        assertThat(tested.isWorthwhile()).isTrue();
    }

    @Test
    void eachWaitCountsFromAnew() {
        waits.incrementAndGet();
        for (int i = 0; i < Gathering.COMMITS_AFTER_WAIT; i++) {
            tested.isWorthwhile();
        }
        waits.incrementAndGet();
        for (int i = 0; i <= Gathering.COMMITS_AFTER_WAIT; i++) {
            assertThat(tested.isWorthwhile()).as("commit %d", i).isFalse();
        }
    }
}
