package dev.semel.blackpipe.audit;

import java.util.Optional;
import java.util.stream.Stream;

/** A kind of fault. */
public enum Kind {
    /** The connection is closed; the next one works. */
    TRANSIENT("transient error"),
    /** The same, and the next attempt fails too. */
    SECOND_FAULT("second fault"),
    /** The server neither replies nor closes the connection, for longer than the client waits for a reply. */
    STALL("stall"),
    /** All connections are closed and new ones refused until the run is over. */
    OUTAGE("outage"),
    /** The same, but the server comes back after the driver's server selection timeout. */
    OUTAGE_THAT_ENDS("outage that ends"),
    /** The server replies that it is no longer primary, and becomes primary again. */
    STEP_DOWN("step-down"),
    /** The server fails the command once, with a retryable error. */
    RETRYABLE_ERROR("retryable error"),
    /** The server fails the command each time. */
    COMMAND_ERROR("command error"),
    /** No fault, but another copy of the program sends the same message at the same time. */
    TWO_COPIES("two copies");

    private final String label;

    Kind(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    /** The option's value for this kind: the label with hyphens. */
    public String option() {
        return label.replace(' ', '-');
    }

    /** The kind for an option's value. */
    public static Optional<Kind> of(String option) {
        return Stream.of(values()).filter(each -> each.option().equals(option)).findFirst();
    }

    /** Whether the fault can also affect the reply. */
    boolean affectsReplies() {
        return switch (this) {
            case TRANSIENT, SECOND_FAULT, STALL, OUTAGE, OUTAGE_THAT_ENDS, STEP_DOWN -> true;
            case RETRYABLE_ERROR, COMMAND_ERROR, TWO_COPIES -> false;
        };
    }
}
