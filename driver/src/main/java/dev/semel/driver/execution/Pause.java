package dev.semel.driver.execution;

import dev.semel.driver.connection.Time;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoInterruptedException;
import java.time.Duration;
import java.util.function.Supplier;

/** The time between two attempts. */
public final class Pause {
    private Pause() {}

    /** The exception of an interruption also carries the failure that made another attempt necessary. */
    public static void between(
            String attempts, Duration pause, Time.Sleeper sleeper, Supplier<MongoException> failure) {
        if (pause.isZero()) {
            return;
        }
        try {
            sleeper.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            var interrupted = new MongoInterruptedException("Interrupted between two " + attempts, e);
            interrupted.addSuppressed(failure.get());
            throw interrupted;
        }
    }
}
