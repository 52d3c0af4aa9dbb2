package dev.semel.driver.connection;

import java.util.function.LongSupplier;

/** A moment by which something must be done, or none. {@link Time} makes them. */
public final class Deadline {
    /** There is no timeout for the whole operation; older, partial timeouts apply. */
    public static final Deadline NONE = new Deadline();

    /** It may take as long as it takes: said by a timeout of zero, and no partial timeout applies. */
    static final Deadline ENDLESS = new Deadline();

    private final LongSupplier nanoTime;
    private final long atNanos;
    private final boolean isSet;

    private Deadline() {
        nanoTime = () -> 0;
        atNanos = Long.MAX_VALUE;
        isSet = false;
    }

    Deadline(LongSupplier nanoTime, long nanos) {
        this.nanoTime = nanoTime;
        atNanos = nanoTime.getAsLong() + nanos;
        isSet = true;
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
        return isSet ? atNanos - nanoTime.getAsLong() : Long.MAX_VALUE;
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
