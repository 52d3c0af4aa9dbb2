package dev.semel.faults;

import java.time.Duration;
import java.util.function.LongSupplier;

/** How long to wait for what a set of members should do. Time in which it could not does not count, up to a limit. */
final class Patience {
    private static final Duration AT_ALL_MAX = Duration.ofMinutes(5);

    private final LongSupplier ableNanos;
    private final Duration atMost;
    private final long ableStart;
    private final long start = System.nanoTime();

    /** @param ableNanos time in which the set could do something, from some moment on */
    Patience(LongSupplier ableNanos, Duration atMost) {
        this.ableNanos = ableNanos;
        this.atMost = atMost;
        this.ableStart = ableNanos.getAsLong();
    }

    boolean isOver() {
        return able().compareTo(atMost) > 0 || atAll().compareTo(AT_ALL_MAX) > 0;
    }

    private Duration able() {
        return Duration.ofNanos(ableNanos.getAsLong() - ableStart);
    }

    private Duration atAll() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** For messages. */
    @Override
    public String toString() {
        return "within %d s, in %d of which a majority of the members answered"
                .formatted(atAll().toSeconds(), able().toSeconds());
    }
}
