package dev.semel.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class GatheringTest {
    private final AtomicLong conflicts = new AtomicLong();
    private final Gathering tested = new Gathering(conflicts::get);

    @Test
    void commitsThatDisturbNobodyWaitForEachOther() {
        assertThat(tested.isWorthwhile()).isTrue();
        assertThat(tested.isWorthwhile()).isTrue();
    }

    @Test
    void afterALockThatWasNotFreeManyAreWrittenAtOnce() {
        conflicts.incrementAndGet();
        for (int i = 0; i <= Gathering.COMMITS_AFTER_CONFLICT; i++) {
            assertThat(tested.isWorthwhile()).as("commit %d", i).isFalse();
        }
        assertThat(tested.isWorthwhile()).isTrue();
    }

    @Test
    void eachOfThemCountsFromAnew() {
        conflicts.incrementAndGet();
        for (int i = 0; i < Gathering.COMMITS_AFTER_CONFLICT; i++) {
            tested.isWorthwhile();
        }
        conflicts.incrementAndGet();
        for (int i = 0; i <= Gathering.COMMITS_AFTER_CONFLICT; i++) {
            assertThat(tested.isWorthwhile()).as("commit %d", i).isFalse();
        }
    }
}
