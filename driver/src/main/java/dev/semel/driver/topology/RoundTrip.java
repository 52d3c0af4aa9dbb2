package dev.semel.driver.topology;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The round trip times to one server: a moving average that follows quickly, and the least of the last ten. */
final class RoundTrip {
    private static final double NEWEST_WEIGHT = 0.2;
    private static final int RECENT_MAX = 10;

    private @Nullable Duration average;
    private final Deque<Duration> recent = new ArrayDeque<>();

    synchronized void add(Duration sample) {
        average = next(average, sample);
        recent.addLast(sample);
        if (recent.size() > RECENT_MAX) {
            recent.removeFirst();
        }
    }

    static Duration next(@Nullable Duration average, Duration sample) {
        if (average == null) {
            return sample;
        }
        return Duration.ofNanos(Math.round(NEWEST_WEIGHT * sample.toNanos() + (1 - NEWEST_WEIGHT) * average.toNanos()));
    }

    synchronized @Nullable Duration average() {
        return average;
    }

    /** Zero until two samples make it worth something. */
    synchronized Duration minimum() {
        return recent.size() < 2
                ? Duration.ZERO
                : recent.stream().min(Duration::compareTo).orElse(Duration.ZERO);
    }

    /** The server failed: what was measured before says nothing about its successor. */
    synchronized void reset() {
        average = null;
        recent.clear();
    }
}
