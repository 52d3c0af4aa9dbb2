package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class CloseLimitTest {
    private static final Duration NEVER_REACHED = Duration.ofMinutes(5);

    @Test
    void closingThatNeverEndsIsLeftBehind() {
        var never = new CountDownLatch(1);

        assertThatThrownBy(() -> CloseLimit.run(Duration.ofMillis(100), () -> awaitUninterruptibly(never)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("The log has not been closed within 0 s; that waits here:")
                .hasMessageContaining("awaitUninterruptibly");

        never.countDown();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void failureIsThatOfTheClosing() {
        assertThatThrownBy(() -> CloseLimit.run(NEVER_REACHED, () -> {
                    throw new IOException("disk");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("disk");
        // These must not look like an end of the log that has come before.
        assertThatThrownBy(() -> CloseLimit.run(NEVER_REACHED, () -> {
                    throw new IllegalStateException("closed twice");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("closed twice");
        assertThatThrownBy(() -> CloseLimit.run(NEVER_REACHED, () -> {
                    throw new OutOfMemoryError("heap");
                }))
                .isInstanceOf(OutOfMemoryError.class)
                .hasMessage("heap");
    }

    /** Neither does the closing see the caller's interruption, nor the caller one of the closing. */
    @Test
    void interruptionsStayApart() throws Exception {
        var seen = new AtomicReference<Boolean>();
        Thread.currentThread().interrupt();

        CloseLimit.run(NEVER_REACHED, () -> {
            seen.set(Thread.currentThread().isInterrupted());
            Thread.currentThread().interrupt();
        });

        assertThat(seen).hasValue(false);
        assertThat(Thread.interrupted()).isTrue();

        CloseLimit.run(NEVER_REACHED, () -> Thread.currentThread().interrupt());

        assertThat(Thread.interrupted()).isFalse();
    }
}
