package dev.semel.blackpipe.fault;

/** The moment of a fault, in the life of one request. */
public enum Phase {
    /** The server never sees the request. */
    BEFORE("before"),
    /** The server sees the first bytes of it. */
    WITHIN("within"),
    /** The server has done the work and answered; the client does not know yet. */
    AFTER_APPLY("afterApply"),
    /** The server has done the work and answered; the client gets the first bytes of the reply. */
    WITHIN_REPLY("withinReply"),
    /** The server gets the request twice; the client gets the first answer. */
    DUPLICATE("duplicate");

    private final String label;

    Phase(String label) {
        this.label = label;
    }

    /** As a plan writes it. */
    public String label() {
        return label;
    }

    /** Whether a rule says how many bytes pass before the fault. */
    public boolean cutsMessage() {
        return this == WITHIN || this == WITHIN_REPLY;
    }
}
