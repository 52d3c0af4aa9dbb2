package dev.semel.blackpipe.audit;

/** A program failed; the message has its exit code and its output. */
public final class ProgramFailure extends Exception {
    private static final long serialVersionUID = 1L;

    ProgramFailure(String message) {
        super(message);
    }
}
