package dev.semel.blackpipe.proxy;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** What the clock says, and how much time has passed. */
public record Time(InstantSource clock, LongSupplier nanoTime) {
    /** Of this machine. */
    public static Time ofSystem() {
        return new Time(InstantSource.system(), System::nanoTime);
    }

    public Instant now() {
        return clock.instant();
    }

    /** Counted from some moment; only differences say anything. */
    public long nanos() {
        return nanoTime.getAsLong();
    }
}
