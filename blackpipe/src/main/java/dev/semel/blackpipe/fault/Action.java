package dev.semel.blackpipe.fault;

import java.util.List;

/** What a fault does. Times are in milliseconds; {@link #FOREVER} never ends. */
public sealed interface Action {
    long FOREVER = Long.MAX_VALUE;

    /** The message is delivered, but late, in pieces, twice or in another order. */
    sealed interface Delivery extends Action {}

    /** The client gets a reply that the server did not send. */
    sealed interface Answer extends Action {}

    /** The client gets no reply, and the connection cannot be used any more. */
    sealed interface Loss extends Action {}

    /** Whether a rule may have this action in this phase. */
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

    /** No other fault than that of the phase: the request is delivered twice. */
    record None() implements Delivery {
        @Override
        public String toString() {
            return "deliver";
        }
    }

    /** The message is delayed. */
    record Delay(long ms) implements Delivery {
        @Override
        public String toString() {
            return "delay " + time(ms);
        }
    }

    /** The message waits for the next one with the same meeting, at most this long; then both are forwarded. */
    record Meet(Rendezvous meeting, long ms) implements Delivery {
        @Override
        public String toString() {
            return "meet within " + time(ms);
        }
    }

    /** The message is sent in pieces of this many bytes, with this time between them. */
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

    /** The reply is sent twice. */
    record DuplicateReply() implements Delivery {
        @Override
        public String toString() {
            return "duplicate";
        }
    }

    /** The previous reply of this connection is sent again instead of this one. */
    record StaleReply() implements Delivery {
        @Override
        public String toString() {
            return "stale";
        }
    }

    /** The reply is sent after the next one of this connection, or after this time. */
    record Reorder(long ms) implements Delivery {
        @Override
        public String toString() {
            return "reorder " + time(ms);
        }
    }

    /** The client gets this error instead of a reply. */
    record ErrorReply(int code, String message, List<String> labels) implements Answer {
        public ErrorReply {
            labels = List.copyOf(labels);
        }

        @Override
        public String toString() {
            return "error " + code;
        }
    }

    /** For this long the server reports that it is not the primary, and refuses what only a primary can do. */
    record StepDown(long ms) implements Answer {
        @Override
        public String toString() {
            return "stepdown " + time(ms);
        }
    }

    /** The connection is closed. */
    record Close() implements Loss {
        @Override
        public String toString() {
            return "close";
        }
    }

    /** The connection is closed with a TCP reset. */
    record Reset() implements Loss {
        @Override
        public String toString() {
            return "reset";
        }
    }

    /** No bytes are forwarded on this connection for this long; then it is closed. */
    record Stall(long ms) implements Loss {
        @Override
        public String toString() {
            return "stall " + time(ms);
        }
    }

    /** Every connection is closed, and new ones are refused for this long. */
    record Outage(long ms) implements Loss {
        @Override
        public String toString() {
            return "outage " + time(ms);
        }
    }

    /** Every connection, old and new, accepts bytes and never replies for this long; old ones stay silent afterwards. */
    record BlackHole(long ms) implements Loss {
        @Override
        public String toString() {
            return "blackhole " + time(ms);
        }
    }

    /** Every connection is closed, and the TLS handshake of new ones fails for this long. */
    record BadHandshake(long ms) implements Loss {
        @Override
        public String toString() {
            return "badhandshake " + time(ms);
        }
    }

    /** Every connection is closed, and for this long new ones get a certificate that no client should accept. */
    record BadCertificate(long ms) implements Loss {
        @Override
        public String toString() {
            return "badcertificate " + time(ms);
        }
    }

    /** Whether it needs a proxy with TLS. */
    default boolean needsTls() {
        return this instanceof BadHandshake || this instanceof BadCertificate;
    }

    /** Formatted with a unit. */
    static String time(long ms) {
        return ms == FOREVER ? "for ever" : ms + " ms";
    }
}
