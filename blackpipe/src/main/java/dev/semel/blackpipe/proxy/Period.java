package dev.semel.blackpipe.proxy;

import dev.semel.blackpipe.fault.Action;
import java.util.concurrent.TimeUnit;

/** For how long something goes on that has begun. */
final class Period {
    /** Nearly three hundred years, and no overflow when the clock's reading is added. */
    private static final long FOREVER_NANOS = Long.MAX_VALUE / 2;

    private final Time time;
    private volatile long untilNanos;

    Period(Time time) {
        this.time = time;
        this.untilNanos = time.nanos();
    }

    /** Lasts for this long from now on; {@link Action#FOREVER} until it is ended. Returns the moment of its end. */
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

    /** Whether it ends then, and nothing has changed that. */
    boolean endsAt(long nanos) {
        return untilNanos == nanos;
    }

    /** Not positive when it is over. */
    long leftNanos() {
        return untilNanos - time.nanos();
    }
}
