package dev.semel.blackpipe.audit;

/** Thrown by a check that finds some of the effect and not the rest; the message says what it finds. */
public final class PartlyApplied extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public PartlyApplied(String found) {
        super(found);
    }
}
