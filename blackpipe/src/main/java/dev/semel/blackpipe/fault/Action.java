package dev.semel.blackpipe.fault;

import java.util.List;

/** What a fault does. Times are in milliseconds; {@link #FOREVER} never ends. */
public sealed interface Action {
    long FOREVER = Long.MAX_VALUE;

    /** The message is delivered, but not as it should be. */
    sealed interface Delivery extends Action {}

    /** The client gets an answer that the server did not give. */
    sealed interface Answer extends Action {}

    /** The client gets no answer, and this connection is of no use any more. */
    sealed interface Loss extends Action {}

    /** Whether a rule may have this action at this moment. */
    default boolean goesWith(Phase phase) {
        return switch (this) {
            case None none -> phase == Phase.DUPLICATE;
            case Delay delay -> phase != Phase.DUPLICATE;
            case Meet meet -> phase == Phase.BEFORE;
            case Drip drip -> phase == Phase.BEFORE || phase == Phase.AFTER_APPLY;
            case DuplicateReply reply -> phase == Phase.AFTER_APPLY;
            case StaleReply reply -> phase == Phase.AFTER_APPLY;
            case Reorder reply -> phase == Phase.AFTER_APPLY;
            case Answer answer -> phase == Phase.BEFORE || phase == Phase.AFTER_APPLY;
            case Loss loss -> phase != Phase.DUPLICATE;
        };
    }

    /** Nothing beside what the phase does: the request is delivered twice. */
    record None() implements Delivery {
        @Override
        public String toString() {
            return "deliver";
        }
    }

    /** It comes later. */
    record Delay(long ms) implements Delivery {
        @Override
        public String toString() {
            return "delay " + time(ms);
        }
    }

    /** It waits for the next message that a rule with the same meeting applies to, at most this long; then both go on. */
    record Meet(Meeting meeting, long ms) implements Delivery {
        @Override
        public String toString() {
            return "meet within " + time(ms);
        }
    }

    /** It comes in pieces of so many bytes, with this time between two of them. */
    record Drip(int bytes, long everyMs) implements Delivery {
        public Drip {
            if (bytes < 1) {
                throw new IllegalArgumentException("a piece has 1 byte or more");
            }
        }

        @Override
        public String toString() {
            return "drip " + bytes + (bytes == 1 ? " byte" : " bytes") + " every " + time(everyMs);
        }
    }

    /** The reply comes twice. */
    record DuplicateReply() implements Delivery {
        @Override
        public String toString() {
            return "duplicate";
        }
    }

    /** The previous reply of this connection comes again in place of this one. */
    record StaleReply() implements Delivery {
        @Override
        public String toString() {
            return "stale";
        }
    }

    /** The reply comes after the next one of this connection, or when this time is over. */
    record Reorder(long ms) implements Delivery {
        @Override
        public String toString() {
            return "reorder " + time(ms);
        }
    }

    /** The client gets this error in place of an answer. */
    record ErrorReply(int code, String message, List<String> labels) implements Answer {
        public ErrorReply {
            labels = List.copyOf(labels);
        }

        @Override
        public String toString() {
            return "error " + code;
        }
    }

    /** The server says for this long that it is not the primary, and refuses what only a primary does. */
    record StepDown(long ms) implements Answer {
        @Override
        public String toString() {
            return "stepdown " + time(ms);
        }
    }

    /** The connection ends in order. */
    record Close() implements Loss {
        @Override
        public String toString() {
            return "close";
        }
    }

    /** The connection ends with a TCP reset. */
    record Reset() implements Loss {
        @Override
        public String toString() {
            return "reset";
        }
    }

    /** Nothing moves on this connection for this long; then it ends. */
    record Stall(long ms) implements Loss {
        @Override
        public String toString() {
            return "stall " + time(ms);
        }
    }

    /** Every connection ends, and new ones are refused for this long. */
    record Outage(long ms) implements Loss {
        @Override
        public String toString() {
            return "outage " + time(ms);
        }
    }

    /** Every connection, old and new, accepts bytes and says nothing for this long; those of before stay silent. */
    record BlackHole(long ms) implements Loss {
        @Override
        public String toString() {
            return "blackhole " + time(ms);
        }
    }

    /** Every connection ends, and the TLS handshake of new ones fails for this long. */
    record BadHandshake(long ms) implements Loss {
        @Override
        public String toString() {
            return "badhandshake " + time(ms);
        }
    }

    /** Every connection ends, and new ones get a certificate for this long that no client should accept. */
    record BadCertificate(long ms) implements Loss {
        @Override
        public String toString() {
            return "badcertificate " + time(ms);
        }
    }

    /** Whether it is about encryption, and without that makes no sense. */
    default boolean needsTls() {
        return this instanceof BadHandshake || this instanceof BadCertificate;
    }

    /** As people read it. */
    static String time(long ms) {
        return ms == FOREVER ? "for ever" : ms + " ms";
    }
}
