package dev.semel.driver.connection;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A moment by which something must be done, or none. */
public final class Deadline {
    /** There is no timeout for the whole operation; older, partial timeouts apply. */
    public static final Deadline NONE = new Deadline(Long.MAX_VALUE, false);

    /** It may take as long as it takes: said by a timeout of zero, and no partial timeout applies. */
    private static final Deadline ENDLESS = new Deadline(Long.MAX_VALUE, false);

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

    /** The timeout of a whole operation, which replaces all others: null is none, zero is no limit. */
    public static Deadline ofOperation(@Nullable Duration timeout) {
        return timeout != null && timeout.isZero() ? ENDLESS : after(timeout);
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

    /** Whether the operation has a timeout, even if it is unlimited. */
    public boolean isGiven() {
        return isSet || this == ENDLESS;
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
