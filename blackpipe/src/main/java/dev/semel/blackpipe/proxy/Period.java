package dev.semel.blackpipe.proxy;

import dev.semel.blackpipe.fault.Action;
import java.util.concurrent.TimeUnit;

/** A condition that lasts for a limited time. */
final class Period {
    /** Nearly three hundred years; adding the clock's value does not overflow. */
    private static final long FOREVER_NANOS = Long.MAX_VALUE / 2;

    private final Time time;
    private volatile long untilNanos;

    Period(Time time) {
        this.time = time;
        this.untilNanos = time.nanos();
    }

    /** Begins now and lasts for this long; {@link Action#FOREVER} until it is ended. Returns the time of its end. */
    long begin(long ms) {
        long until = time.nanos() + Math.min(FOREVER_NANOS, TimeUnit.MILLISECONDS.toNanos(ms));
        untilNanos = until;
        return until;
    }

    void end() {
        untilNanos = time.nanos();
    }

    boolean isOn() {
        return leftNanos() > 0;
    }

    /** Whether it still ends at that time. */
    boolean endsAt(long nanos) {
        return untilNanos == nanos;
    }

    /** The remaining time; not positive when it is over. */
    long leftNanos() {
        return untilNanos - time.nanos();
    }
}
