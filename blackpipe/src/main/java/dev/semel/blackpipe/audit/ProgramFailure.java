package dev.semel.blackpipe.audit;

/** A program of whatever language could not do its work; the message is its exit code and what it printed. */
public final class ProgramFailure extends Exception {
    private static final long serialVersionUID = 1L;

    ProgramFailure(String message) {
        super(message);
    }
}
