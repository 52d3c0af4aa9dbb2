package dev.semel.store.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.store.key.KeyRange;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LockSpaceTest {
    private static final byte[] KEY = {0, 0, 0, 1, 7};

    @Test
    void releasedLocksLeaveNothing() {
        var bytes = new AtomicLong();
        var space = new LockSpace(1, bytes);
        var owner = new LockOwner(1, LockPolicy.of(LockPolicy.Kind.STATEMENT, Duration.ZERO));
        space.insert(owner, KeyRange.point(KEY), LockMode.EXCLUSIVE);
        assertThat(space.first(KeyRange.ALL)).isNotNull();
        assertThat(bytes).hasPositiveValue();

        space.release(Objects.requireNonNull(owner.in(space)), 10);

        assertThat(space.first(KeyRange.ALL)).isNull();
        assertThat(bytes).hasValue(0);
    }
}
