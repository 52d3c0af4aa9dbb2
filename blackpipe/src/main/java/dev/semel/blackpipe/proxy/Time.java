package dev.semel.blackpipe.proxy;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** The clock and the elapsed time. */
public record Time(InstantSource clock, LongSupplier nanoTime) {
    /** The time of this machine. */
    public static Time ofSystem() {
        return new Time(InstantSource.system(), System::nanoTime);
    }

    public Instant now() {
        return clock.instant();
    }

    /** Nanoseconds from an arbitrary origin; only differences are meaningful. */
    public long nanos() {
        return nanoTime.getAsLong();
    }
}
