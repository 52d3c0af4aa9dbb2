package dev.semel.blackpipe.audit;

import java.time.Duration;

/**
 * The timeouts and fault durations of an audit.
 *
 * @param selectionTimeout the driver's server selection timeout
 * @param socketTimeout how long the driver waits for a reply
 */
record Timing(Duration selectionTimeout, Duration socketTimeout) {
    /** Longer than one server selection timeout and shorter than two. */
    Duration outage() {
        return selectionTimeout.multipliedBy(3).dividedBy(2);
    }

    /** Shorter than the server selection timeout, so the driver finds the primary in time. */
    Duration stepDown() {
        return selectionTimeout.dividedBy(2);
    }

    /** How long one copy waits for the other; its driver waits longer. */
    Duration meeting() {
        return socketTimeout.dividedBy(2);
    }

    /** How long this fault prevents even a correct program from doing its work. */
    Duration of(Kind kind) {
        return switch (kind) {
            case STALL -> socketTimeout;
            case STEP_DOWN -> stepDown();
            case OUTAGE_THAT_ENDS -> outage();
            case TRANSIENT, SECOND_FAULT, OUTAGE, RETRYABLE_ERROR, COMMAND_ERROR, TWO_COPIES -> Duration.ZERO;
        };
    }

    /** How long this fault keeps a driver from looking for a server: a step-down is noticed at once, and passes meanwhile. */
    Duration beforeSelection(Kind kind) {
        return kind == Kind.STALL ? socketTimeout : Duration.ZERO;
    }
}
