package dev.semel.blackpipe.audit;

/** What one fault did to an operation, from harmless to worst. */
public enum Verdict {
    CORRECT("correct"),
    /** Correct, but it went on when nothing could come of it. */
    WASTES_TIME("wastes time"),
    /** The fault did not meet its message: the operation does something else each time. */
    NON_DETERMINISTIC("non-deterministic"),
    MAY_UNDERCOUNT("may undercount"),
    MAY_OVERCOUNT("may overcount"),
    /** Some of its effect is there, and not the rest. */
    MAY_HALF_APPLY("may half-apply");

    private final String label;

    Verdict(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
