package dev.semel.blackpipe.fault;

/** The moment of a fault while a request is processed. */
public enum Phase {
    /** The server never sees the request. */
    BEFORE("before"),
    /** The server sees the first bytes of the request. */
    WITHIN("within"),
    /** The server has applied the request and replied; the client has not got the reply. */
    AFTER_APPLY("afterApply"),
    /** The server has applied the request and replied; the client gets the first bytes of the reply. */
    WITHIN_REPLY("withinReply"),
    /** The server gets the request twice; the client gets the first reply. */
    DUPLICATE("duplicate");

    private final String label;

    Phase(String label) {
        this.label = label;
    }

    /** The name in plans. */
    public String label() {
        return label;
    }

    /** Whether a rule of this phase says how many bytes are forwarded before the fault. */
    public boolean cutsMessage() {
        return this == WITHIN || this == WITHIN_REPLY;
    }
}
