package dev.semel.blackpipe.fault;

/** A plan that cannot be used; the message names the line and what is wrong in it. */
public final class BadPlan extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadPlan(String message) {
        super(message);
    }
}
