package dev.semel.wire.message;

import dev.semel.wire.CommandException;
import java.io.IOException;

/** A frame with a valid length whose content breaks a rule: the sender can get an error reply. */
public final class RefusedMessage extends IOException {
    private static final long serialVersionUID = 1L;

    private final int requestId;
    private final transient CommandException reason;
    private final boolean answered;
    private final boolean closes;
    private final boolean isLegacy;

    RefusedMessage(int requestId, CommandException reason, boolean answered, boolean closes) {
        this(requestId, reason, answered, closes, false);
    }

    private RefusedMessage(int requestId, CommandException reason, boolean answered, boolean closes, boolean isLegacy) {
        super(reason.text(), reason);
        this.isLegacy = isLegacy;
        this.requestId = requestId;
        this.reason = reason;
        this.answered = answered;
        this.closes = closes;
    }

    /** One that takes its answer from OP_REPLY. */
    static RefusedMessage legacy(int requestId, CommandException reason) {
        return new RefusedMessage(requestId, reason, true, false, true);
    }

    /** Whether the answer is {@link Message.OpReply#failure}. */
    public boolean isLegacy() {
        return isLegacy;
    }

    /** The request to be answered. */
    public int requestId() {
        return requestId;
    }

    public CommandException reason() {
        return reason;
    }

    /** Whether the sender waits for an answer; one that it does not wait for would be taken for that to its next request. */
    public boolean answered() {
        return answered;
    }

    /** Whether the connection ends after the answer, as MongoDB does when it cannot know what a flag demands. */
    public boolean closes() {
        return closes;
    }
}
