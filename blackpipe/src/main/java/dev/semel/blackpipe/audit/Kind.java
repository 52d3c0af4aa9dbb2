package dev.semel.blackpipe.audit;

import java.util.Optional;
import java.util.stream.Stream;

/** What goes wrong. */
public enum Kind {
    /** The connection ends, and the next one works. */
    TRANSIENT("transient error"),
    /** The same, and the next attempt is struck as well. */
    SECOND_FAULT("second fault"),
    /** The server neither answers nor ends the connection, for longer than the client waits for an answer. */
    STALL("stall"),
    /** The connection ends, and there is no server until the run is over. */
    OUTAGE("outage"),
    /** The same, but the server comes back when the driver has given up. */
    OUTAGE_THAT_ENDS("outage that ends"),
    /** The server is not the primary any more, says so, and becomes it again. */
    STEP_DOWN("step-down"),
    /** The server refuses the command once, with an error after which it may be sent again. */
    RETRYABLE_ERROR("retryable error"),
    /** The server refuses the command, as often as it is asked. */
    COMMAND_ERROR("command error"),
    /** Nothing, but another copy of the program comes to the same message at the same time. */
    TWO_COPIES("two copies");

    private final String label;

    Kind(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    /** As it is written in a list: the label with hyphens. */
    public String option() {
        return label.replace(' ', '-');
    }

    /** By the name that is written in a list. */
    public static Optional<Kind> of(String option) {
        return Stream.of(values()).filter(each -> each.option().equals(option)).findFirst();
    }

    /** Whether it strikes a message on its way back, too. */
    boolean strikesReplies() {
        return switch (this) {
            case TRANSIENT, SECOND_FAULT, STALL, OUTAGE, OUTAGE_THAT_ENDS, STEP_DOWN -> true;
            case RETRYABLE_ERROR, COMMAND_ERROR, TWO_COPIES -> false;
        };
    }
}
