package dev.semel.blackpipe.fault;

import java.util.List;

/** What a fault does. Times are in milliseconds; {@link #FOREVER} never ends. */
public sealed interface Action {
    long FOREVER = Long.MAX_VALUE;

    /** Nothing beside what the phase does: the request is delivered twice. */
    record None() implements Action {
        @Override
        public String toString() {
            return "deliver";
        }
    }

    /** The connection ends in order. */
    record Close() implements Action {
        @Override
        public String toString() {
            return "close";
        }
    }

    /** The connection ends with a TCP reset. */
    record Reset() implements Action {
        @Override
        public String toString() {
            return "reset";
        }
    }

    /** Nothing moves for this long; then the connection ends. */
    record Stall(long ms) implements Action {
        @Override
        public String toString() {
            return "stall " + time(ms);
        }
    }

    /** It comes later. */
    record Delay(long ms) implements Action {
        @Override
        public String toString() {
            return "delay " + time(ms);
        }
    }

    /** The client gets this error in place of an answer. */
    record ErrorReply(int code, String message, List<String> labels) implements Action {
        public ErrorReply {
            labels = List.copyOf(labels);
        }

        @Override
        public String toString() {
            return "error " + code;
        }
    }

    /** Every connection ends, and none is accepted for this long. */
    record Outage(long ms) implements Action {
        @Override
        public String toString() {
            return "outage " + time(ms);
        }
    }

    /** The server says for this long that it is not the primary, and refuses what only a primary does. */
    record StepDown(long ms) implements Action {
        @Override
        public String toString() {
            return "stepdown " + time(ms);
        }
    }

    private static String time(long ms) {
        return ms == FOREVER ? "for ever" : ms + " ms";
    }
}
