package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waiting for what others do, but not for ever. */
public final class Await {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private Await() {}

    public static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited for ten seconds").isLessThan(end);
            try {
                TimeUnit.MILLISECONDS.sleep(1);
            } catch (InterruptedException e) {
                throw new AssertionError("interrupted", e);
            }
        }
    }
}
