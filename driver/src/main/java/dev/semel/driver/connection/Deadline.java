package dev.semel.driver.connection;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A moment by which something must be done, or none. */
public final class Deadline {
    public static final Deadline NONE = new Deadline(Long.MAX_VALUE, false);

    private final long atNanos;
    private final boolean isSet;

    private Deadline(long atNanos, boolean isSet) {
        this.atNanos = atNanos;
        this.isSet = isSet;
    }

    /** Null is no deadline; so is zero, which means without limit wherever a timeout is set. */
    public static Deadline after(@Nullable Duration timeout) {
        return timeout == null || timeout.isZero() ? NONE : in(timeout.toNanos());
    }

    public static Deadline afterMs(long ms) {
        return in(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    private static Deadline in(long nanos) {
        return new Deadline(System.nanoTime() + nanos, true);
    }

    public boolean isSet() {
        return isSet;
    }

    public boolean hasPassed() {
        return isSet && remainingNanos() <= 0;
    }

    /** May be negative; very large where there is no deadline. */
    public long remainingNanos() {
        return isSet ? atNanos - System.nanoTime() : Long.MAX_VALUE;
    }

    /** Rounded up, so that what remains is never 0 while time remains. */
    public long remainingMs() {
        return isSet ? -Math.floorDiv(-remainingNanos(), 1_000_000L) : Long.MAX_VALUE;
    }

    public Deadline orEarlier(Deadline other) {
        if (!isSet) {
            return other;
        }
        return !other.isSet || atNanos - other.atNanos <= 0 ? this : other;
    }
}
