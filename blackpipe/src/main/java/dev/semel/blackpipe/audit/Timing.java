package dev.semel.blackpipe.audit;

import java.time.Duration;

/**
 * How long clients and faults of an audit last.
 *
 * @param selectionTimeout for how long the driver looks for a server
 * @param socketTimeout for how long it waits for an answer
 */
record Timing(Duration selectionTimeout, Duration socketTimeout) {
    /** Longer than the driver looks for a server, and shorter than it does so twice. */
    Duration outage() {
        return selectionTimeout.multipliedBy(3).dividedBy(2);
    }

    /** So that a driver that looks for a primary finds one in time. */
    Duration stepDown() {
        return selectionTimeout.dividedBy(2);
    }

    /** For how long one copy waits for the other; its driver waits longer. */
    Duration meeting() {
        return socketTimeout.dividedBy(2);
    }

    /** For how long this fault keeps even the best program from doing its work. */
    Duration of(Kind kind) {
        return switch (kind) {
            case STALL -> socketTimeout;
            case STEP_DOWN -> stepDown();
            case OUTAGE_THAT_ENDS -> outage();
            case TRANSIENT, SECOND_FAULT, OUTAGE, RETRYABLE_ERROR, COMMAND_ERROR, TWO_COPIES -> Duration.ZERO;
        };
    }
}
