package dev.semel.driver.connection;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The clock, the elapsed time and the deadlines of a client, and how it waits. */
public record Time(InstantSource clock, LongSupplier nanoTime, Sleeper sleeper) {
    /** Lets time pass. */
    public interface Sleeper {
        void sleep(Duration duration) throws InterruptedException;
    }

    /** The time of this machine. */
    public static Time ofSystem() {
        return new Time(InstantSource.system(), System::nanoTime, Thread::sleep);
    }

    /** Nanoseconds from an arbitrary origin; only differences are meaningful. */
    public long nanos() {
        return nanoTime.getAsLong();
    }

    public Duration since(long startNanos) {
        return Duration.ofNanos(nanos() - startNanos);
    }

    /** Null is no deadline; so is zero, which means without limit wherever a timeout is set. */
    public Deadline after(@Nullable Duration timeout) {
        return timeout == null || timeout.isZero()
                ? Deadline.NONE
                : new Deadline(nanoTime, TimeUnit.NANOSECONDS.convert(timeout));
    }

    /** The timeout of a whole operation, which replaces all others: null is none, zero is no limit. */
    public Deadline ofOperation(@Nullable Duration timeout) {
        return timeout != null && timeout.isZero() ? Deadline.ENDLESS : after(timeout);
    }

    /** Unlike {@link #after}, zero is a limit: now. */
    public Deadline in(Duration timeout) {
        return new Deadline(nanoTime, TimeUnit.NANOSECONDS.convert(timeout));
    }
}
