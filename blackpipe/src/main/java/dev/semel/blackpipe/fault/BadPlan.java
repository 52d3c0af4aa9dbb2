package dev.semel.blackpipe.fault;

/** An invalid plan; the message names the line and the problem. */
public final class BadPlan extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadPlan(String message) {
        super(message);
    }
}
