package dev.semel.blackpipe.audit;

/** Thrown by a check that finds only a part of the effect; the message describes what it finds. */
public final class PartlyApplied extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public PartlyApplied(String found) {
        super(found);
    }
}
